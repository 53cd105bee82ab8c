// SPDX-License-Identifier: Apache-2.0
// cases.bin and timing.bin: what a fixture computed once, for every candidate of the task. A header in JSON, then raw blocks in order.
#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "assay/cases/expected.h"
#include "assay/spec/countable.h"
#include "assay/spec/whole_file.h"

namespace assay::cases {
namespace {

using nlohmann::json;
using oracle::Elements;

constexpr char kMagic[9] = "ASSAYC08";

/// Of blocks one after the other, to see damage by. The files are read by the build that wrote them, and each candidate's judge reads
/// them: the standard library's own hash is fast.
class Checksum {
 public:
  void add(std::string_view block) { sum_ = std::rotl(sum_, 7) * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()(block); }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void bytes(std::string_view block) {
    out_.write(block.data(), static_cast<std::streamsize>(block.size()));
    sum_.add(block);
  }
  template <class Block>
  void block(const Block& block) {
    bytes({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(*block.data())});
  }
  std::uint64_t sum() const { return sum_.value(); }

 private:
  std::ostream& out_;
  Checksum sum_;
};

json describe(const PreparedCase& entry) {
  json described{{"name", entry.name},
                 {"dims", entry.dims},
                 {"dim_values", entry.dim_values},
                 {"flops", entry.flops},
                 {"scattered_bytes", entry.scattered_bytes},
                 {"inputs", json::array()},
                 {"outputs", json::array()}};
  for (const Bytes& input : entry.inputs) described["inputs"].push_back(input.size());
  for (const ExpectedTensor& output : entry.outputs)
    described["outputs"].push_back({{"name", output.name},
                                    {"type", static_cast<int>(output.type)},
                                    {"shape", output.shape},
                                    {"reals", output.values.size()},
                                    {"slack", output.slack.size()},
                                    {"exact", output.exact.size()},
                                    {"in_place", output.in_place ? json(*output.in_place) : json()},
                                    {"max_bound", output.max_bound},
                                    {"rms_bound", output.rms_bound}});
  return described;
}

json describe(const std::vector<ErrorBounds>& all) {
  json described = json::array();
  for (const ErrorBounds& bounds : all) described.push_back({bounds.max, bounds.rms});
  return described;
}

json describe(const Nearness& near) {
  return {static_cast<int>(near.type), near.scale, near.relative_scale, near.most, near.most_rms, near.most_differing};
}

json describe(const TimingShape& shape) {
  json described{{"dims", shape.dims},     {"layout", describe(shape.layout)}, {"near", json::array()},
                 {"exact", json::array()}, {"probes", json::object()},         {"inputs", json::object()}};
  for (const Nearness& near : shape.near) described["near"].push_back(describe(near));
  for (const auto& [name, bounds] : shape.probes) described["probes"][name] = describe(bounds);
  for (const auto& [name, init] : shape.inputs) described["inputs"][name] = {init.kind, init.numbers, init.names};
  for (const ExactCase& exact : shape.exact)
    described["exact"].push_back({{"name", exact.name}, {"both_wide", exact.kind == IntegerKind::both_wide}, {"draw", exact.first_draw}});
  return described;
}

/// Has the kernel bring all pages at once: a fault for each takes longer than to read them.
void populate(void* block, std::size_t bytes) {
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, Linux 5.14; an older one refuses, and pages come as they are touched
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::size_t kWorthwhile = 16 * kPage;
  if (bytes < kWorthwhile) return;
  const auto at = reinterpret_cast<std::uintptr_t>(block), first = at / kPage * kPage;
  madvise(reinterpret_cast<void*>(first), at + bytes - first, kPopulateWrite);
}

/// Reads what the header announces. Nothing is believed before it is seen to fit: the file lies in the build tree, where a
/// full disk or another program may have left anything.
class Reader {
 public:
  Reader(std::istream& in, std::uint64_t bytes) : in_(in), left_(bytes) {}

  template <class T>
  Elements<T> block(std::uint64_t count) {
    if (count > left_ / sizeof(T)) throw std::invalid_argument("it is truncated");
    Elements<T> block;
    block.reserve(count);
    populate(block.data(), count * sizeof(T));
    block.resize(count);
    in_.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(count * sizeof(T)));
    left_ -= count * sizeof(T);
    if (!in_) throw std::invalid_argument("it is truncated");
    sum_.add({reinterpret_cast<const char*>(block.data()), count * sizeof(T)});
    return block;
  }

  json header() {
    const auto magic = block<char>(8);
    if (std::memcmp(magic.data(), kMagic, magic.size()) != 0) throw std::invalid_argument("it is no case file of this version");
    const auto text = block<char>(block<std::uint64_t>(1).front());
    return json::parse(text);
  }

  void require_end() const {
    if (left_ != 0) throw std::invalid_argument(fmt::format("{} bytes follow its last block", left_));
  }
  std::uint64_t sum() const { return sum_.value(); }

 private:
  std::istream& in_;
  std::uint64_t left_;
  Checksum sum_;
};

/// json converts a real to an integer without a word, whatever its size.
template <class Integer>
Integer whole(const json& number) {
  if (!number.is_number_integer() || (std::is_unsigned_v<Integer> && !number.is_number_unsigned()))
    throw std::invalid_argument(fmt::format("a whole number was expected, got {}", number.dump()));
  return number.get<Integer>();
}

spec::ElementType element_type(const json& number) {
  constexpr spec::ElementType last = spec::ElementType::f8e5m2;
  const auto type = whole<std::uint64_t>(number);
  if (type > static_cast<std::uint64_t>(last)) throw std::invalid_argument(fmt::format("there is no element type {}", type));
  return static_cast<spec::ElementType>(type);
}

spec::Shape shape_of(const json& extents) {
  spec::Shape shape;
  for (const json& extent : extents) shape.push_back(whole<std::int64_t>(extent));
  if (!spec::is_countable(shape)) throw std::invalid_argument("there is no tensor of shape " + extents.dump());
  return shape;
}

/// Without its values.
ExpectedTensor read_layout(const json& described) {
  ExpectedTensor output;
  output.name = described.at("name").get<std::string>();
  output.type = element_type(described.at("type"));
  output.shape = shape_of(described.at("shape"));
  if (const json& input = described.at("in_place"); !input.is_null()) output.in_place = whole<std::size_t>(input);
  output.max_bound = described.at("max_bound").get<double>();
  output.rms_bound = described.at("rms_bound").get<double>();
  return output;
}

ExpectedTensor read_output(const json& described, Reader& reader) {
  ExpectedTensor output = read_layout(described);
  const auto reals = whole<std::uint64_t>(described.at("reals")), slack = whole<std::uint64_t>(described.at("slack")),
             exact = whole<std::uint64_t>(described.at("exact"));
  const auto count = static_cast<std::uint64_t>(spec::element_count(output.shape));
  const bool real = spec::info(output.type).element_class == spec::ElementClass::real;
  if (reals != (real ? count : 0) || exact != (real ? 0 : count) || (slack != 0 && slack != count))
    throw std::invalid_argument(
        fmt::format("output '{}' of {} elements has values of {} + {} and slack of {}", output.name, count, reals, exact, slack));
  output.values = reader.block<double>(reals);
  output.scales = reader.block<double>(reals);
  output.slack = reader.block<double>(slack);
  output.exact = reader.block<std::int64_t>(exact);
  return output;
}

std::map<std::string, std::int64_t> read_dims(const json& described) {
  std::map<std::string, std::int64_t> dims;
  for (const auto& [name, extent] : described.items()) dims[name] = whole<std::int64_t>(extent);
  return dims;
}

std::vector<ErrorBounds> read_bounds(const json& described) {
  std::vector<ErrorBounds> all;
  for (const json& bounds : described) all.push_back({bounds.at(0).get<double>(), bounds.at(1).get<double>()});
  return all;
}

/// A case without its inputs and outputs.
PreparedCase read_head(const json& described) {
  PreparedCase entry;
  entry.name = described.at("name").get<std::string>();
  entry.dims = read_dims(described.at("dims"));
  for (const json& value : described.at("dim_values")) entry.dim_values.push_back(whole<std::int64_t>(value));
  entry.flops = described.at("flops").get<double>();
  entry.scattered_bytes = described.at("scattered_bytes").get<double>();
  return entry;
}

Nearness read_nearness(const json& described) {
  const auto number = [&](std::size_t i) { return described.at(i).get<double>(); };
  return {element_type(described.at(0)), number(1), number(2), number(3), number(4), number(5)};
}

spec::InputInit read_init(const json& described) {
  spec::InputInit init;
  described.at(0).get_to(init.kind);
  described.at(1).get_to(init.numbers);
  described.at(2).get_to(init.names);
  return init;
}

TimingShape read_shape(const json& described) {
  TimingShape shape{read_dims(described.at("dims")), read_head(described.at("layout")), {}, {}, {}};
  for (const json& output : described.at("layout").at("outputs")) shape.layout.outputs.push_back(read_layout(output));
  for (const json& near : described.at("near")) shape.near.push_back(read_nearness(near));
  for (const auto& [name, bounds] : described.at("probes").items()) shape.probes[name] = read_bounds(bounds);
  for (const auto& [name, init] : described.at("inputs").items()) shape.inputs[name] = read_init(init);
  for (const json& exact : described.at("exact"))
    shape.exact.push_back({exact.at("name").get<std::string>(),
                           exact.at("both_wide").get<bool>() ? IntegerKind::both_wide : IntegerKind::plain, shape.dims,
                           whole<std::uint64_t>(exact.at("draw"))});
  return shape;
}

PreparedCase read_case(const json& described, Reader& reader) {
  PreparedCase entry = read_head(described);
  for (const json& size : described.at("inputs")) entry.inputs.push_back(reader.block<std::byte>(whole<std::uint64_t>(size)));
  for (const json& output : described.at("outputs")) {
    entry.outputs.push_back(read_output(output, reader));
    if (const auto input = entry.outputs.back().in_place; input && *input >= entry.inputs.size())
      throw std::invalid_argument(fmt::format("there is no input {}", *input));
  }
  return entry;
}

CaseFile read_all(Reader& reader) {
  const json header = reader.header();
  CaseFile cases{parse_seed(header.at("seed").get<std::string>(), "seed"), header.at("profile").get<std::string>(), {}, {}};
  for (const json& shape : header.at("timing")) cases.timing.push_back(read_shape(shape));
  for (const json& described : header.at("cases")) cases.cases.push_back(read_case(described, reader));
  reader.require_end();
  return cases;
}

/// Which one writes a file; each has the file's name.
std::string fixture_of(const std::filesystem::path& file) { return file.stem().string(); }

}  // namespace

namespace {

std::uint64_t write_all(const CaseFile& cases, std::ostream& out) {
  json header{{"seed", seed_text(cases.seed)}, {"profile", cases.profile}, {"cases", json::array()}, {"timing", json::array()}};
  for (const TimingShape& shape : cases.timing) header["timing"].push_back(describe(shape));
  for (const PreparedCase& entry : cases.cases) header["cases"].push_back(describe(entry));
  const std::string text = header.dump();
  Writer writer(out);
  writer.bytes({kMagic, 8});
  writer.block(std::array{static_cast<std::uint64_t>(text.size())});
  writer.bytes(text);
  for (const PreparedCase& entry : cases.cases) {
    for (const Bytes& input : entry.inputs) writer.block(input);
    for (const ExpectedTensor& output : entry.outputs) {
      writer.block(output.values);
      writer.block(output.scales);
      writer.block(output.slack);
      writer.block(output.exact);
    }
  }
  return writer.sum();
}

/// `work`'s errors, as what is wrong with `file`.
template <class Work>
CaseFile reading(const std::filesystem::path& file, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;  // says of us, not of the file
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{0}: {1} is damaged: {2}. do: run the CTest fixture assay.<task>.{0} again", fixture_of(file),
                                         file.string(), error.what()));
  }
}

}  // namespace

void write_cases(const CaseFile& cases, std::ostream& out) { write_all(cases, out); }

void save_cases(const CaseFile& cases, const std::filesystem::path& file) {
  std::ostringstream out;
  const std::uint64_t sum = write_all(cases, out);
  out.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  spec::write_whole_file(fixture_of(file), file, out.view());
}

CaseFile load_cases(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(file))
    throw std::runtime_error(fmt::format("{0}: {1} is not there. do: run `assay {0} --plan`, as the CTest fixture assay.<task>.{0} does",
                                         fixture_of(file), file.string()));
  const std::uint64_t bytes = std::filesystem::file_size(file);
  return reading(file, [&] {
    std::uint64_t sum = 0;
    if (bytes < sizeof sum) throw std::invalid_argument("it is truncated");
    Reader reader(in, bytes - sizeof sum);
    CaseFile cases = read_all(reader);
    in.read(reinterpret_cast<char*>(&sum), sizeof sum);
    if (!in || sum != reader.sum()) throw std::invalid_argument("its checksum is another");
    return cases;
  });
}

CaseFile read_cases(std::istream& in, std::uint64_t bytes, const std::filesystem::path& file) {
  return reading(file, [&] {
    Reader reader(in, bytes);
    return read_all(reader);
  });
}

}  // namespace assay::cases

// SPDX-License-Identifier: Apache-2.0
// cases.bin: what the fixture computed once, for every candidate of the task. A header in JSON, then raw blocks in order.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/judge/expected.h"

namespace assay {
namespace {

using nlohmann::json;
constexpr char kMagic[9] = "ASSAYC03";

template <class T>
void write_block(std::ofstream& out, const std::vector<T>& block) {
  out.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size() * sizeof(T)));
}

template <class T>
std::vector<T> read_block(std::ifstream& in, std::size_t count) {
  std::vector<T> block(count);
  in.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return block;
}

json describe(const PreparedCase& entry) {
  json described{{"name", entry.name}, {"dims", entry.dims}, {"dim_values", entry.dim_values}, {"flops", entry.flops}};
  for (const Bytes& input : entry.inputs) described["inputs"].push_back(input.size());
  for (const ExpectedTensor& output : entry.outputs)
    described["outputs"].push_back({{"name", output.name}, {"type", static_cast<int>(output.type)}, {"shape", output.shape},
                                    {"reals", output.values.size()}, {"slack", output.slack.size()}, {"exact", output.exact.size()},
                                    {"max_bound", output.max_bound}, {"rms_bound", output.rms_bound}});
  return described;
}

json describe(const TimingShape& shape) {
  json described{{"dims", shape.dims}, {"bounds", json::array()}};
  for (const ErrorBounds& bounds : shape.bounds) described["bounds"].push_back({bounds.max, bounds.rms});
  return described;
}

TimingShape read_shape(const json& described) {
  TimingShape shape{described.at("dims"), {}};
  for (const auto& bounds : described.at("bounds")) shape.bounds.push_back({bounds.at(0), bounds.at(1)});
  return shape;
}

PreparedCase read_case(const json& described, std::ifstream& in) {
  PreparedCase entry{described.at("name"), described.at("dims"), described.at("dim_values"), {}, {}, described.at("flops")};
  for (const auto& size : described.at("inputs")) entry.inputs.push_back(read_block<std::byte>(in, size));
  for (const auto& from : described.at("outputs")) {
    ExpectedTensor output;
    output.name = from.at("name");
    output.type = static_cast<ElementType>(from.at("type").get<int>());
    output.shape = from.at("shape").get<Shape>();
    output.max_bound = from.at("max_bound");
    output.rms_bound = from.at("rms_bound");
    output.values = read_block<double>(in, from.at("reals"));
    output.scales = read_block<double>(in, from.at("reals"));
    output.slack = read_block<double>(in, from.at("slack"));
    output.exact = read_block<std::int64_t>(in, from.at("exact"));
    entry.outputs.push_back(std::move(output));
  }
  return entry;
}

}  // namespace

void save_cases(const CaseFile& cases, const std::filesystem::path& file) {
  const std::filesystem::path temporary = fmt::format("{}.{}", file.string(), getpid());
  {
    std::ofstream out(temporary, std::ios::binary);
    json header{{"seed", cases.seed}, {"profile", cases.profile}, {"cases", json::array()}, {"timing", json::array()}};
    for (const TimingShape& shape : cases.timing) header["timing"].push_back(describe(shape));
    for (const PreparedCase& entry : cases.cases) header["cases"].push_back(describe(entry));
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    out.write(kMagic, 8);
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << text;
    for (const PreparedCase& entry : cases.cases) {
      for (const Bytes& input : entry.inputs) write_block(out, input);
      for (const ExpectedTensor& output : entry.outputs) {
        write_block(out, output.values);
        write_block(out, output.scales);
        write_block(out, output.slack);
        write_block(out, output.exact);
      }
    }
    out.flush();
    if (!out) throw std::runtime_error(fmt::format("cases: {} cannot be written. do: check the disk's free space", temporary.string()));
  }
  std::filesystem::rename(temporary, file);
}

CaseFile load_cases(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw std::runtime_error(fmt::format("cases: {} is not there. do: run `assay cases --plan`, as the CTest fixture assay.<task>.cases does", file.string()));
  char magic[8];
  std::uint64_t length = 0;
  in.read(magic, sizeof magic);
  in.read(reinterpret_cast<char*>(&length), sizeof length);
  if (!in || std::memcmp(magic, kMagic, 8) != 0 || length > (1u << 24))
    throw std::runtime_error(fmt::format("cases: {} is not a case file of this version. do: run the fixture again", file.string()));
  std::string text(length, '\0');
  in.read(text.data(), static_cast<std::streamsize>(length));
  const json header = json::parse(text);
  CaseFile cases{header.at("seed"), header.at("profile"), {}, {}};
  for (const auto& shape : header.at("timing")) cases.timing.push_back(read_shape(shape));
  for (const auto& described : header.at("cases")) cases.cases.push_back(read_case(described, in));
  if (!in) throw std::runtime_error(fmt::format("cases: {} is truncated. do: run the fixture again", file.string()));
  return cases;
}

}  // namespace assay

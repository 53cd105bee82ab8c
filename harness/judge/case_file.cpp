// SPDX-License-Identifier: Apache-2.0
// cases.bin: what the fixture computed once, for every candidate of the task. A header in JSON, then raw blocks in order.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "assay/judge/expected.h"
#include "assay/spec/whole_file.h"

namespace assay {
namespace {

using nlohmann::json;
constexpr char kMagic[9] = "ASSAYC03";

/// FNV-1a by words: of what a crash or a bad disk leaves of a file, none passes for the whole.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(8, bytes.size()))) {
    std::uint64_t word = bytes.size();
    std::memcpy(&word, bytes.data(), std::min<std::size_t>(8, bytes.size()));
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

template <class T>
void write_block(std::string& out, const std::vector<T>& block) {
  out.append(reinterpret_cast<const char*>(block.data()), block.size() * sizeof(T));
}

template <class T>
std::vector<T> read_block(std::string_view& in, std::size_t count) {
  if (count > in.size() / sizeof(T)) throw std::runtime_error("ends early");
  std::vector<T> block(count);
  if (count > 0) std::memcpy(block.data(), in.data(), count * sizeof(T));
  in.remove_prefix(count * sizeof(T));
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

PreparedCase read_case(const json& described, std::string_view& in) {
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

CaseFile parse_cases(std::string_view bytes) {
  constexpr std::size_t kHead = 8 + sizeof(std::uint64_t), kTail = sizeof(std::uint64_t);
  std::uint64_t length = 0, sum = 0;
  if (bytes.size() < kHead + kTail || !bytes.starts_with(kMagic)) throw std::runtime_error("is not a case file of this version");
  std::memcpy(&sum, bytes.data() + bytes.size() - kTail, kTail);
  bytes.remove_suffix(kTail);
  if (sum != checksum(bytes)) throw std::runtime_error("is damaged");
  std::memcpy(&length, bytes.data() + 8, sizeof length);
  bytes.remove_prefix(kHead);
  if (length > bytes.size()) throw std::runtime_error("ends early");
  const json header = json::parse(bytes.substr(0, length));
  bytes.remove_prefix(length);
  CaseFile cases{header.at("seed"), header.at("profile"), {}, {}};
  for (const auto& bounds : header.at("timing_bounds")) cases.timing_bounds.push_back({bounds.at(0), bounds.at(1)});
  for (const auto& described : header.at("cases")) cases.cases.push_back(read_case(described, bytes));
  return cases;
}

}  // namespace

void save_cases(const CaseFile& cases, const std::filesystem::path& file) {
  json header{{"seed", cases.seed}, {"profile", cases.profile}, {"cases", json::array()}, {"timing_bounds", json::array()}};
  for (const ErrorBounds& bounds : cases.timing_bounds) header["timing_bounds"].push_back({bounds.max, bounds.rms});
  for (const PreparedCase& entry : cases.cases) header["cases"].push_back(describe(entry));
  const std::string text = header.dump();
  std::string out = kMagic;
  write_block(out, std::vector<std::uint64_t>{text.size()});
  out += text;
  for (const PreparedCase& entry : cases.cases) {
    for (const Bytes& input : entry.inputs) write_block(out, input);
    for (const ExpectedTensor& output : entry.outputs) {
      write_block(out, output.values);
      write_block(out, output.scales);
      write_block(out, output.slack);
      write_block(out, output.exact);
    }
  }
  write_block(out, std::vector<std::uint64_t>{checksum(out)});
  write_whole_file("cases", file, out);
}

CaseFile load_cases(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in)
    throw std::runtime_error(fmt::format("cases: {} is not there. do: run `assay cases --plan`, as the CTest fixture assay.<task>.cases does", file.string()));
  try {
    std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
    in.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return parse_cases(std::string_view(bytes).substr(0, static_cast<std::size_t>(in.gcount())));
  } catch (const std::bad_alloc&) {
    throw;  // says of us, not of the file
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("cases: {}: {}. do: run the CTest fixture assay.<task>.cases again", file.string(), error.what()));
  }
}

}  // namespace assay

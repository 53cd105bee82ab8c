// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/oracle_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/cases/expected.h"
#include "assay/spec/float8.h"

namespace assay::cases {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using oracle::Bounded;

static_assert(std::endian::native == std::endian::little, "the files are written as they lie in memory");

/// NumPy's name of an element type that inputs can be drawn in.
std::string numpy_type(spec::ElementType type) {
  const spec::ElementTypeInfo& facts = spec::info(type);
  if (facts.element_class == spec::ElementClass::boolean) return "|b1";
  if (type == spec::ElementType::bf16) return "<u2";  // NumPy has neither bfloat16 nor 8 bits: theirs
  if (spec::is_float8(type)) return "|u1";
  const bool is_unsigned = facts.onnx_name.starts_with('u');
  const char kind = facts.element_class == spec::ElementClass::real ? 'f' : is_unsigned ? 'u' : 'i';
  return fmt::format("{}{}{}", facts.size == 1 ? '|' : '<', kind, facts.size);
}

void finish(std::ofstream& out, const fs::path& file) {
  if (out.flush()) return;
  throw std::runtime_error(fmt::format("oracle: {} cannot be written. do: check the folder and its free space", file.string()));
}

template <class Array>
void write_npy(const fs::path& file, const std::string& type, const spec::Shape& shape, const Array& elements) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (", type);
  for (const std::int64_t extent : shape) header += fmt::format("{},", extent);
  header += ")}";
  header.resize((10 + header.size()) / 64 * 64 + 64 - 10, ' ');  // data starts at a multiple of 64 bytes, after '\n'
  header.back() = '\n';
  std::ofstream out(file, std::ios::binary);
  out.write("\x93NUMPY\x01\x00", 8);
  out.put(static_cast<char>(header.size() & 0xff)).put(static_cast<char>(header.size() >> 8));
  out << header;
  out.write(reinterpret_cast<const char*>(elements.data()),
            static_cast<std::streamsize>(elements.size() * sizeof(typename Array::value_type)));
  finish(out, file);
}

json describe(const spec::TensorSpec& spec, const spec::Shape& shape) {
  return {{"name", spec.name}, {"type", spec::info(spec.type).onnx_name}, {"shape", shape}};
}

void write_output(const fs::path& folder, const std::string& name, const oracle::Value<Bounded>& value) {
  const fs::path file = folder / (name + ".npy");
  if (const auto* reals = std::get_if<oracle::Tensor<Bounded>>(&value.elements)) {
    std::vector<double> values, scales;
    for (const Bounded& x : *reals) {
      values.push_back(x.value);
      scales.push_back(x.error);
    }
    write_npy(file, "<f8", value.shape(), values);
    write_npy(folder / (name + ".scale.npy"), "<f8", value.shape(), scales);
  } else if (const auto* integers = std::get_if<oracle::Integers>(&value.elements)) {
    write_npy(file, "<i8", value.shape(), std::vector(integers->begin(), integers->end()));
  } else {
    const auto& booleans = std::get<oracle::Booleans>(value.elements);
    write_npy(file, "|b1", value.shape(), std::vector(booleans.begin(), booleans.end()));
  }
}

json write_case(const spec::Task& task, const spec::Case& entry, const Seed& seed, const fs::path& folder) {
  fs::create_directories(folder);
  const auto dims = draw_dims(entry, seed);
  const auto inputs = draw_inputs(task, entry.inputs, dims, seed, entry.name);
  const auto shapes = spec::concrete_shapes(task.model.inputs, dims);
  json described{{"name", entry.name}, {"dims", dims}, {"inputs", json::array()}, {"outputs", json::array()}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const spec::TensorSpec& spec = task.model.inputs[i];
    write_npy(folder / (spec.name + ".npy"), numpy_type(spec.type), shapes[i], inputs[i]);
    described["inputs"].push_back(describe(spec, shapes[i]));
  }
  const auto evaluated = [&] { return oracle::evaluate<Bounded>(task.model, dims, as_values<Bounded>(task.model.inputs, shapes, inputs)); };
  const auto outputs = evaluated();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const spec::TensorSpec& spec = task.model.outputs[i];
    write_output(folder, spec.name, outputs[i]);
    described["outputs"].push_back(describe(spec, outputs[i].shape()));
  }
  if (!task.model.compute) return described;
  const oracle::RoundingScope exact(oracle::Rounding::none);  // for who compares with another exact evaluation, as the torch line is
  const auto unrounded = evaluated();
  fs::create_directories(folder / "unrounded");
  for (std::size_t i = 0; i < unrounded.size(); ++i) write_output(folder / "unrounded", task.model.outputs[i].name, unrounded[i]);
  return described;
}

void require_known_cases(const spec::Task& task, const std::vector<std::string>& wanted) {
  std::vector<std::string> known;
  for (const spec::Case& entry : task.cases) known.push_back(entry.name);
  for (const std::string& name : wanted)
    if (std::ranges::find(known, name) == known.end())
      throw std::runtime_error(fmt::format("oracle: task {} has no case '{}'. known: {}", task.name, name, fmt::join(known, " ")));
}

}  // namespace

void write_oracle(const spec::Task& task, const std::vector<std::string>& cases, const Seed& seed, const fs::path& folder) {
  require_known_cases(task, cases);
  json index{{"task", task.name}, {"seed", seed_text(seed)}, {"model", task.model_text}, {"torch", task.torch}, {"cases", json::array()}};
  for (const spec::Case& entry : task.cases)
    if (cases.empty() || std::ranges::find(cases, entry.name) != cases.end())
      index["cases"].push_back(write_case(task, entry, seed, folder / entry.name));
  const fs::path file = folder / "index.json";
  std::ofstream out(file);
  out << index.dump(2) << '\n';
  finish(out, file);
}

}  // namespace assay::cases

// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/task_library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>

#include "assay/oracle/storage.h"

namespace assay::oracle {
namespace {

void* load(const std::string& library) {
  static std::mutex loading;
  static std::map<std::string, void*> loaded;
  const std::lock_guard lock(loading);
  void*& handle = loaded[library];
  if (handle == nullptr) handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(fmt::format("cannot be loaded: {}. do: build it", dlerror()));
  return handle;
}

}  // namespace

harness::RawTensor HarnessTensor::raw() {
  return {name.c_str(),
          is_real ? reals.data() : nullptr,
          is_real ? nullptr : integers.data(),
          scales.empty() ? nullptr : scales.data(),
          shape.data(),
          shape.size(),
          static_cast<std::size_t>(element_count(shape))};
}

HarnessTensor harness_tensor(const spec::TensorSpec& spec, const Shape& shape) {
  HarnessTensor tensor{spec.name, shape, {}, {}, {}, info(spec.type).element_class == ElementClass::real};
  // One at least: an empty tensor has an address, too.
  const std::size_t room = std::max<std::size_t>(1, static_cast<std::size_t>(element_count(shape)));
  if (tensor.is_real) tensor.reals.assign(room, std::numeric_limits<double>::quiet_NaN());
  else tensor.integers.assign(room, 0);
  return tensor;
}

HarnessTensor harness_tensor(const spec::TensorSpec& spec, const Shape& shape, const void* elements) {
  HarnessTensor tensor = harness_tensor(spec, shape);
  const Value<double> value = load_value<double>(spec.type, shape, elements);
  std::visit(
      [&](const auto& from) {
        if (tensor.is_real) std::copy(from.begin(), from.end(), tensor.reals.begin());
        else
          for (std::size_t i = 0; i < from.size(); ++i) tensor.integers[i] = static_cast<std::int64_t>(from[i]);
      },
      value.elements);
  return tensor;
}

HarnessEntry harness_entry(const std::string& library, const char* symbol) {
  return reinterpret_cast<HarnessEntry>(dlsym(load(library), symbol));
}

void call_harness(HarnessEntry entry, std::vector<HarnessTensor>& inputs, std::vector<HarnessTensor>& outputs) {
  std::vector<harness::RawTensor> raw_inputs, raw_outputs;
  for (HarnessTensor& tensor : inputs) raw_inputs.push_back(tensor.raw());
  for (HarnessTensor& tensor : outputs) raw_outputs.push_back(tensor.raw());
  std::string thrown;
  const auto note = [](void* to, const char* what) { *static_cast<std::string*>(to) = what; };
  const harness::RawCall call{
      harness::kVersion, raw_inputs.data(), raw_outputs.data(), inputs.size(), outputs.size(), &thrown, nullptr, note, note};
  entry(&call);
  if (!thrown.empty()) throw std::runtime_error(fmt::format("threw '{}'", thrown));
}

}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "assay/oracle/evaluate.h"
#include "assay/plan/confinement.h"
#include "assay/trial/trial.h"

namespace assay::trial {
namespace {

using nlohmann::json;
using plan::DeviceCode;
using spec::ElementType;

constexpr const char* kNvidia = "NVIDIA CUDA";  ///< the platform, in CUDA and in OpenCL

/// Those that PyTorch has in all of its versions.
bool has_type(const spec::TensorSpec& tensor) {
  constexpr ElementType kLacking[] = {ElementType::u16, ElementType::u32, ElementType::u64, ElementType::f8e4m3, ElementType::f8e5m2};
  return std::ranges::find(kLacking, tensor.type) == std::end(kLacking);
}

bool is_for_torch(const spec::Task& task) {
  return !task.torch.empty() && std::ranges::all_of(task.model.inputs, has_type) && std::ranges::all_of(task.model.outputs, has_type) &&
         !oracle::any_operator(task.model, [](const oracle::OperatorInfo& used) { return used.sized_by_values; });
}

json described(const spec::TensorSpec& tensor, const spec::Shape& shape) {
  return {{"name", tensor.name}, {"type", std::string(spec::info(tensor.type).onnx_name)}, {"shape", shape}};
}

}  // namespace

std::optional<BoxProgram> torch_program(const plan::Plan& plan, const spec::Task& task, const cases::PreparedCase& shaped, int threads,
                                        const std::optional<DeviceCode>& code) {
  if (!plan.settings.torch || !is_for_torch(task)) return {};
  const bool on_gpu = code && plan.settings.torch->cuda && code->device.platform == kNvidia;
  json what = {{"torch", task.torch},
               {"dims", shaped.dims},
               {"inputs", json::array()},
               {"outputs", json::array()},
               {"device", on_gpu ? "cuda" : "cpu"}};
  const auto shapes = spec::concrete_shapes(task.model.inputs, shaped.dims);
  for (std::size_t i = 0; i < shapes.size(); ++i) what["inputs"].push_back(described(task.model.inputs[i], shapes[i]));
  for (std::size_t i = 0; i < shaped.outputs.size(); ++i)
    what["outputs"].push_back(described(task.model.outputs[i], shaped.outputs[i].shape));
  BoxProgram program;
  program.argv = plan.settings.torch->command;
  program.argv.push_back(what.dump());
  program.readable = plan.settings.torch->readable;
  // As the worker of C++ has it: memory that one call frees serves the next.
  program.environment = {"MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=1073741824", "MALLOC_TOP_PAD_=67108864"};
  if (on_gpu) {
    program.devices = plan::device_files(plan.toolchain);
    std::ranges::copy(plan.toolchain.readable, std::back_inserter(program.readable));
    program.library_path = plan::kContainerDriver;
    program.environment.insert(program.environment.end(), {"CUDA_DEVICE_ORDER=PCI_BUS_ID", "CUDA_MODULE_LOADING=EAGER"});
    program.environment.push_back("CUDA_VISIBLE_DEVICES=" + code->device.selector.substr(code->device.selector.rfind('#') + 1));
  }
  program.ours = program.interpreted = program.transfers = true;
  program.threads = threads;
  program.call_limit = plan.task.time_limit;
  program.layers = plan::confinement(plan.settings);
  return program;
}

}  // namespace assay::trial

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "assay/oracle/evaluate.h"
#include "assay/plan/confinement.h"
#include "assay/spec/onnx_model.h"
#include "assay/trial/trial.h"

namespace assay::trial {
namespace {

using nlohmann::json;
using plan::DeviceCode;

constexpr const char* kNvidia = "NVIDIA CUDA";  ///< the platform, in CUDA and in OpenCL
constexpr const char* kLine = "torch";          ///< Framework::reads
constexpr std::size_t kPiece = 64 << 10;        ///< Linux takes no argument of a program that is longer than 128 KiB

bool can_evaluate(const plan::Framework& framework, const spec::Task& task) {
  const auto has_type = [&](const spec::TensorSpec& tensor) {
    return std::ranges::find(framework.types, spec::info(tensor.type).onnx_name) != framework.types.end();
  };
  return (framework.reads == kLine ? !task.torch.empty() : !task.harness.oracle) && std::ranges::all_of(task.model.inputs, has_type) &&
         std::ranges::all_of(task.model.outputs, has_type) &&
         !oracle::any_operator(task.model, [](const oracle::OperatorInfo& used) { return used.sized_by_values; });
}

std::string hexadecimal(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) fmt::format_to(std::back_inserter(digits), "{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

json described(const spec::TensorSpec& tensor, const spec::Shape& shape) {
  return {{"name", tensor.name}, {"type", std::string(spec::info(tensor.type).onnx_name)}, {"shape", shape}};
}

}  // namespace

std::optional<BoxProgram> framework_program(const plan::Plan& plan, const spec::Task& task, const cases::PreparedCase& shaped, int threads,
                                            const std::optional<DeviceCode>& code) {
  if (!plan.settings.framework || !can_evaluate(*plan.settings.framework, task)) return {};
  const plan::Framework& framework = *plan.settings.framework;
  const bool on_gpu = code && framework.cuda && code->device.platform == kNvidia;
  json what = {{"dims", shaped.dims}, {"inputs", json::array()}, {"outputs", json::array()}, {"device", on_gpu ? "cuda" : "cpu"}};
  if (framework.reads == kLine) what["torch"] = task.torch;
  else what["model"] = hexadecimal(spec::onnx_model(task.model, shaped.dims));
  const auto shapes = spec::concrete_shapes(task.model.inputs, shaped.dims);
  for (std::size_t i = 0; i < shapes.size(); ++i) what["inputs"].push_back(described(task.model.inputs[i], shapes[i]));
  for (std::size_t i = 0; i < shaped.outputs.size(); ++i)
    what["outputs"].push_back(described(task.model.outputs[i], shaped.outputs[i].shape));
  BoxProgram program;
  program.argv = framework.command;
  const std::string text = what.dump();
  for (std::size_t at = 0; at < text.size(); at += kPiece) program.argv.push_back(text.substr(at, kPiece));
  program.readable = framework.readable;
  // As the worker of C++ has it: memory that one call frees serves the next.
  program.environment = {"MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=4294967296", "MALLOC_TOP_PAD_=67108864"};
  program.cache = plan.task.framework();
  std::filesystem::create_directories(program.cache);
  program.environment.push_back("ASSAY_FOLDER=" + program.cache.string());
  program.preparing = framework.compiles;
  if (on_gpu) {
    program.devices = plan::device_files(plan.toolchain);
    for (const auto* files : {&plan.toolchain.readable, &plan.toolchain.driver, &code->libraries})
      std::ranges::copy(*files, std::back_inserter(program.readable));
    program.library_path = plan::kContainerDriver;
    program.environment.insert(program.environment.end(), {"CUDA_DEVICE_ORDER=PCI_BUS_ID", "CUDA_MODULE_LOADING=LAZY"});
    program.environment.push_back("CUDA_VISIBLE_DEVICES=" + code->device.selector.substr(code->device.selector.rfind('#') + 1));
  }
  program.ours = program.interpreted = program.transfers = true;
  program.threads = threads;
  program.call_limit = plan.task.time_limit;
  program.layers = plan::confinement(plan.settings);
  return program;
}

}  // namespace assay::trial

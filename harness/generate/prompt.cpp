// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/prompt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace assay {
namespace {

std::string ranges(const Task& task) {
  std::string text;
  for (const std::string& dim : task.free_dims) {
    const auto found = task.dim_ranges.find(dim);
    if (found == task.dim_ranges.end()) continue;
    const DimRange& range = found->second;
    text += range.constant() ? fmt::format("- {} = {}\n", dim, range.low)
                             : fmt::format("- {} may be anything from {} upwards{}\n", dim, range.low,
                                           range.step > 1 ? fmt::format(", in steps of {}", range.step) : "");
  }
  for (const std::string& dim : task.dims)
    if (std::ranges::find(task.free_dims, dim) == task.free_dims.end())
      text += fmt::format("- {} follows from the others, as the model defines\n", dim);
  return text;
}

std::string torch_section(const Task& task) {
  return task.torch.empty() ? "" : fmt::format("The same in PyTorch:\n\n```python\n{}\n```\n\n", task.torch);
}

}  // namespace

std::string prompt_for(const Task& task, const BackendDescription& backend) {
  return fmt::format(
      R"(Write a fast compute kernel.

{summary}

It computes this model, in the ONNX text syntax (opset {opset}); ONNX's definitions of the operators bind:

```
{model}```

{torch}Implement exactly this function; `kernel.h` declares it:

```c
{header}```

Dimensions:
{ranges}
- Tensors are contiguous and row-major. Inputs are read-only. Outputs arrive uninitialised; write every element.
- Nothing outside the tensors may be read or written.
- The result is compared with a float64 evaluation, to the accuracy of float32 arithmetic. NaN and infinities propagate as IEEE 754 and ONNX say.
- The kernel is timed on larger shapes. Calls come with fresh inputs; results cannot be kept from call to call.

It is compiled with `{compile}` as one {suffix} file. The C and C++ standard libraries and OpenMP are available, nothing else: no files, no network, no processes.

Answer with one code block that contains the whole {suffix} file.
)",
      fmt::arg("summary", task.summary), fmt::arg("opset", task.model.opset), fmt::arg("model", task.model_text),
      fmt::arg("torch", torch_section(task)), fmt::arg("header", kernel_header(task)), fmt::arg("ranges", ranges(task)),
      fmt::arg("compile", fmt::format("{}", fmt::join(backend.compile, " "))), fmt::arg("suffix", backend.suffix));
}

}  // namespace assay

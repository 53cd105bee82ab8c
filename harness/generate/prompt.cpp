// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/prompt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "assay/oracle/operator.h"
#include "assay/spec/dim_expression.h"
#include "assay/spec/draw.h"
#include "assay/spec/launch.h"
#include "assay/spec/nearest.h"

namespace assay::generate {
namespace {

using spec::Task;
namespace fs = std::filesystem;

bool has_dim_attributes(const spec::Graph& model) {
  bool any = false;
  spec::each_dim_attribute(model, [&](const spec::DimExpression&) { any = true; });
  return any;
}

std::string ranges(const Task& task) {
  std::string text;
  for (const std::string& dim : task.free_dims) {
    const auto found = task.dim_ranges.find(dim);
    if (found == task.dim_ranges.end()) continue;
    const spec::DimRange& range = found->second;
    text += range.constant() ? fmt::format("- {} = {}\n", dim, range.low)
                             : fmt::format("- {} may be anything from {} upwards{}\n", dim, range.low,
                                           range.step > 1 ? fmt::format(", in steps of {}", range.step) : "");
  }
  for (const std::string& dim : task.dims)
    if (std::ranges::find(task.free_dims, dim) == task.free_dims.end())
      text += fmt::format("- {} follows from the others, as the model defines\n", dim);
  if (has_dim_attributes(task.model)) text += "- An attribute of the model that names dimensions has their value.\n";
  const auto uses = [&](const char* function) { return task.model_text.find(function) != std::string::npos; };
  if (uses("div_up(")) text += "- div_up(a, b) is a / b, rounded up.\n";
  if (uses("round_up(")) text += "- round_up(a, b) is the next multiple of b that is not below a.\n";
  return text;
}

std::string torch_part(const Task& task) {
  return task.torch.empty() ? "" : fmt::format("The same in PyTorch:\n\n```python\n{}\n```", task.torch);
}

/// What ONNX's own definitions leave out.
std::string operators_section(const Task& task) {
  std::string text;
  for (const oracle::Operator* used : oracle::operators_to_explain(task.model)) text += fmt::format("- {}\n", used->info.meaning);
  return text.empty() ? text : "\n\nOperators that ONNX does not have:\n" + text.substr(0, text.size() - 1);
}

/// One function for all of it.
std::string function_section(const Task& task, const BackendDescription& backend) {
  const std::string text =
      fmt::format("Implement exactly this function; `kernel.h` declares it:\n\n```c\n{}```\n", spec::kernel_header(task, backend.types));
  if (backend.memory.empty()) return text;
  return text + R"(
- It is host code: it launches your kernels. Tensors are addresses on the device; the first byte of each is aligned to 16 bytes and no
  more, and right behind its last element, up to that alignment, no memory is mapped.
- Queue all work behind `stream`. The call ends when the device has nothing left to do; you need not wait for it.
- The time of a call includes that of your host code: allocate with care, and never from call to call.
)";
}

/// What differs between the languages of device code. The placeholders are those of launch_section().
struct LaunchWords {
  std::string_view language, example, rules;
};

constexpr LaunchWords kOpenCl = {
    "OpenCL C 1.2",
    R"(   scratch part: float[div_up({dim}, 256)]                # a buffer in global memory, filled with garbage before each call
   kernel first  global [round_up({dim}, 64)] local [64]  ({in}, part, {dim}, local float[64])
   kernel second global [{dim}]                           (part, {out}, int({dim}))
)",
    R"(- Kernels are launched in this order, one after the other. `global` counts work-items, in one to three sizes, each a multiple of its
  `local` size; without `local` the runtime chooses.
- An argument is a tensor or a scratch buffer (`__global` pointer), a dimension (`long`), `int(...)` or `long(...)` of an
  expression, or `local <type>[<count>]` (`__local` pointer), in the order of the kernel's parameters. Inputs are `const`.
)"};

constexpr LaunchWords kCuda = {
    "CUDA C++ (C++20)",
    R"(   scratch part: float[div_up({dim}, 256)]                # a buffer in global memory, filled with garbage before each call
   scratch done: int[1] zero                              # the same, filled with zeros
   kernel first  grid [div_up({dim}, 256)] block [256] shared [4 * 256]  ({in}, part, {dim})
   kernel second grid [1] block [32]                                     (part, done, {out}, int({dim}))
)",
    R"(- A kernel is `extern "C" __global__ void`. Kernels are launched in this order, one after the other, on one stream. `grid` counts blocks
  and `block` threads of a block, in one to three sizes (x, y, z). Behind them may stand `cluster [...]`, in blocks, and
  `shared [<bytes>]` of dynamic shared memory, also beyond 48 KiB.
- An argument is a tensor or a scratch buffer (a pointer), a dimension (`int64_t`, which is `long long`), or `int(...)` or `long(...)` of
  an expression, in the order of the kernel's parameters, which have just these sizes. Inputs are `const`.
- The first byte of each buffer is aligned to 16 bytes and no more; right behind its last element, up to that alignment, no memory is
  mapped.
- Variables of the program (`__device__`) have their first values again when a call begins.
)"};

/// Kernels, and the comment that says how they are launched.
std::string launch_section(const Task& task, const BackendDescription& backend) {
  const LaunchWords& words = backend.memory == "cuda" ? kCuda : kOpenCl;
  const std::string& in = task.model.inputs.front().name;
  const std::string& out = task.buffer_name(0);
  const std::string dim = task.dims.empty() ? "1024" : task.dims.front();
  const std::string example = fmt::format(fmt::runtime(words.example), fmt::arg("dim", dim), fmt::arg("in", in), fmt::arg("out", out));
  return fmt::format(
      R"(Write {} device code only; all host code is ours. These are its tensors and dimensions, as a C function would take them:

```c
{}```

How your kernels are launched stands in one comment at the top of the file, the launch block:

```c
/* launch
{}*/
```

{}- Expressions: integers, dimensions, + - * / %, parentheses, min(a, b), max(a, b), div_up(a, b), round_up(a, b).
- No other state lives from call to call.
)",
      words.language, spec::launch_header(task, backend.types), example, words.rules);
}

std::string model_part(const Task& task) {
  return fmt::format(
      "It computes this model, in the ONNX text syntax (opset {}); ONNX's definitions of the operators bind:\n\n```\n{}```{}",
      task.model.opset, task.model_text.ends_with('\n') ? task.model_text : task.model_text + "\n", operators_section(task));
}

std::string environment_line(const BackendDescription& backend) {
  if (backend.memory == "cuda" && !backend.launches)
    return fmt::format(
        "It is compiled with `{}` as one {} file, where {{architecture}} is the device's. It may include the toolkit's headers (CCCL among "
        "them) and those of C and C++, and use the libraries that stand there: no files, no network, no processes.",
        fmt::join(backend.compile, " "), backend.suffix);
  if (backend.memory == "cuda")
    return "It is compiled by NVRTC as one " + backend.suffix +
           " file. It may include `kernel.h` (above), the CUDA toolkit's headers for device code "
           "(`cuda_fp16.h`, `cuda_bf16.h`, `mma.h`, `cooperative_groups.h`, `cuda/std/...`, `cub/...`) and `stdint.h`, and nothing else.";
  if (backend.launches) return "It is built by the device's own OpenCL compiler, as one " + backend.suffix + " file without includes.";
  return fmt::format(
      "It is compiled with `{}` as one {} file. The C and C++ standard libraries and OpenMP are available, nothing else: "
      "no files, no network, no processes, no code made at run time. There are 64 MiB of stack for the call, 8 MiB for each other "
      "thread, and 2.5 GiB for memory and threads' stacks together. What else you may ask of the system and do without (affinity, "
      "priorities, huge pages) is refused with an error: go on then.",
      fmt::join(backend.compile, " "), backend.suffix);
}

/// What is said of tensors that are read and written.
std::string in_place_line(const Task& task) {
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < task.model.outputs.size(); ++i)
    if (!task.has_own_buffer(i))
      pairs.push_back(fmt::format("`{}` (then `{}` of the model)", task.buffer_name(i), task.model.outputs[i].name));
  if (pairs.empty()) return "";
  return fmt::format("- Read and overwritten in place: {}. An element that does not change may be left alone.\n", fmt::join(pairs, ", "));
}

/// What is said of a model that rounds on its way.
std::string rounding_line(const Task& task) {
  if (!task.model.compute) return "";
  return fmt::format(
      "- The result of each operator of the model is rounded to {0}, to nearest even, before the next one reads it. You may "
      "keep float32 in place of any of these roundings; what is stored is {0} all the same.\n",
      info(*task.model.compute).onnx_name);
}

/// What may be relied on of inputs.
std::string promises_section(const Task& task) {
  std::string text;
  for (const std::string& promise : spec::promises_of(task)) text += fmt::format("- {}\n", promise);
  return text.empty() ? text : "Inputs:\n" + text + "\n";
}

std::string header_part(const Task& task, const BackendDescription& backend) {
  std::string text = backend.launches ? launch_section(task, backend) : function_section(task, backend);
  if (task.summary.empty())
    if (const std::size_t at = text.find("/// \n"); at != text.npos) text.erase(at, 5);
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// What may be relied on, and what is demanded.
std::string contract_part(const Task& task) {
  return fmt::format(R"(Dimensions:
{ranges}
{promises}- Tensors are contiguous and row-major. Inputs are read-only. Outputs arrive uninitialised; write every element.
{in_place}- Nothing outside the tensors may be read or written.
{rounding}- {comparison}, to the accuracy of float32 arithmetic. NaN and infinities propagate as IEEE 754 and ONNX say.
- The kernel is timed on larger shapes. Calls come with fresh inputs; results cannot be kept from call to call.)",
                     fmt::arg("ranges", ranges(task)), fmt::arg("promises", promises_section(task)),
                     fmt::arg("in_place", in_place_line(task)), fmt::arg("rounding", rounding_line(task)),
                     fmt::arg("comparison", task.harness.verify ? "Of several right results any is accepted"
                                                                : "The result is compared with a float64 evaluation"));
}

std::string machine_part(const BackendDescription& backend, const MachineDescription& machine) {
  std::string text = environment_line(backend);
  if (machine.seconds > 0) text += fmt::format(" A call that takes longer than {} s is ended.", machine.seconds);
  if (machine.processors > 0 && !backend.launches) {
    text += fmt::format(" The machine has {} processor{}", machine.processors, machine.processors == 1 ? "" : "s");
    if (!machine.name.empty()) text += fmt::format(" ({})", machine.name);
    if (!machine.extensions.empty()) text += fmt::format(" with {}", fmt::join(machine.extensions, ", "));
    text += ".";
  }
  return text;
}

constexpr std::string_view kTemplate = R"(Write a fast compute kernel.

{{summary}}

{{model}}

{{torch}}

{{header}}

{{contract}}

{{machine}}

{{examples}}

{{answer}}
)";

/// `text` with what `value` says in place of each {{name}}. A line of nothing but an empty part goes, and the empty line behind it.
std::string filled(std::string_view text, const std::function<std::string(const std::string&)>& value) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("{{", at), close = text.find("}}", open);
    if (close == text.npos) return result.append(text.substr(at));
    result += text.substr(at, open - at);
    const std::string part = value(std::string(text.substr(open + 2, close - open - 2)));
    result += part;
    at = close + 2;
    const bool alone = (result.empty() || result.back() == '\n') && text.substr(at).starts_with('\n');
    if (part.empty() && alone) at += text.substr(at).starts_with("\n\n") ? 2 : 1;
  }
  return result;
}

std::string read_text(const fs::path& file, const char* what) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!fs::is_regular_file(file) || !(text << in.rdbuf()))
    throw std::runtime_error(fmt::format("prompt: the {} {} cannot be read. do: name a file", what, file.string()));
  return text.str();
}

/// Of a folder the file that says most of the task: <suite>.<backend>.md, <suite>.md, <backend>.md, default.md.
std::string template_text(const PromptChoice& choice, const Task& task, const std::string& backend) {
  if (choice.template_file.empty()) return std::string(kTemplate);
  if (!fs::is_directory(choice.template_file)) return read_text(choice.template_file, "template");
  const fs::path folder = choice.template_file;
  std::vector<std::string> names;
  for (const auto& [suite, rows] : task.suites) names.push_back(suite + "." + backend + ".md");
  for (const auto& [suite, rows] : task.suites) names.push_back(suite + ".md");
  names.insert(names.end(), {backend + ".md", "default.md"});
  for (const std::string& name : names)
    if (fs::exists(folder / name)) return read_text(folder / name, "template");
  throw std::runtime_error(fmt::format("prompt: {} has no template for {}. do: add {}", folder.string(), task.name, names.back()));
}

/// No task of anybody's: each element less half of the next one.
constexpr std::string_view kFixedExample = R"(```cpp
#include "kernel.h"

// The example's function is void ease(const float* x, float* y, int64_t N): y[i] = x[i] - x[i + 1] / 2, and the last element as it is.
void ease(const float* __restrict x, float* __restrict y, int64_t N) {
  const int64_t last = N - 1;
#pragma omp parallel for simd schedule(static) if (last > (1 << 16))
  for (int64_t i = 0; i < last; ++i) y[i] = x[i] - 0.5f * x[i + 1];
  if (N > 0) y[last] = x[last];
}
```)";

constexpr std::string_view kRetrieval = "retrieval:";

/// A fence that no line of `text` closes.
std::string fenced(const std::string& text, std::string_view tag) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fmt::format("{}{}\n{}\n{}", fence, tag, text, fence);
}

std::string without_last_line_ends(std::string text) {
  text.erase(text.find_last_not_of("\r\n") + 1);
  return text;
}

/// What an example is near to: the parts that say what is computed. They are asked for whether they are switched on or off, so that a
/// prompt of fewer parts gets the same examples, and so does one on another machine. The words that all tasks' prompts have would lead to
/// examples with long comments.
std::string query_of(const Task& task) { return fmt::format("{}\n{}\n{}", task.summary, model_part(task), torch_part(task)); }

std::string retrieved_part(const PromptChoice& choice, const Task& task, const BackendDescription& backend, const Retrieval& retrieval) {
  std::unique_ptr<ExampleFolder> read_now;
  const ExampleFolder* folder = retrieval.examples;
  if (folder == nullptr) {
    read_now = open_examples(choice, backend);
    folder = read_now.get();
  }
  std::string text;
  const int count = choice.shot_count > 0 ? choice.shot_count : kShotCount;
  const auto found = folder->nearest(query_of(task), task.name, retrieval.family, static_cast<std::size_t>(count));
  for (const auto& [example, score] : found) {
    const std::string shown = without_last_line_ends(example->text);
    text += fmt::format("\n\n{}", example->path.ends_with(".md") ? shown : fenced(shown, backend.suffix.substr(1)));
  }
  if (text.empty()) return "";
  return (found.size() == 1 ? "An example of an answer to another task:" : "Examples of answers to other tasks:") + text;
}

std::string examples_part(const PromptChoice& choice, const Task& task, const BackendDescription& backend, const Retrieval& retrieval) {
  if (choice.shots.empty() || choice.shots == "none") return "";
  if (choice.shots.starts_with(kRetrieval)) return retrieved_part(choice, task, backend, retrieval);
  std::string example;
  if (choice.shots == "fixed") {
    if (backend.suffix != ".cpp")
      throw std::runtime_error(fmt::format("prompt: there is no fixed example for {}. do: give a file or a folder as shots", backend.name));
    example = kFixedExample;
  } else if (fs::is_directory(choice.shots)) {
    const fs::path own = fs::path(choice.shots) / (task.category + ".md"), any = fs::path(choice.shots) / "default.md";
    if (!fs::exists(own) && !fs::exists(any)) return "";
    example = read_text(fs::exists(own) ? own : any, "example");
  } else {
    example = read_text(choice.shots, "example");
  }
  if (mentions(example, task.name)) return "";  // it would show the answer
  return "An example of an answer to another task:\n\n" + without_last_line_ends(example);
}

}  // namespace

const std::vector<std::string>& prompt_parts() {
  static const std::vector<std::string> parts{"summary", "model", "torch", "header", "contract", "machine", "examples"};
  return parts;
}

std::unique_ptr<ExampleFolder> open_examples(const PromptChoice& choice, const BackendDescription& backend) {
  if (!choice.shots.starts_with(kRetrieval)) return nullptr;
  return std::make_unique<ExampleFolder>(choice.shots.substr(kRetrieval.size()), backend.suffix);
}

std::string prompt_for(const Task& task, const BackendDescription& backend, const PromptChoice& choice, const MachineDescription& machine,
                       const Retrieval& retrieval) {
  for (const std::string& part : choice.parts)
    if (std::ranges::find(prompt_parts(), part) == prompt_parts().end())
      throw std::runtime_error(
          fmt::format("prompt: no part '{}'{}. known: {}", part, spec::did_you_mean(part, prompt_parts()), fmt::join(prompt_parts(), " ")));
  const auto is_off = [&](const std::string& part) {
    return !choice.parts.empty() && std::ranges::find(choice.parts, part) == choice.parts.end();
  };
  Task shown = task;
  if (is_off("summary")) shown.summary.clear();  // the header has it, too
  const std::map<std::string, std::function<std::string()>> parts{
      {"summary", [&] { return task.summary; }},
      {"model", [&] { return model_part(task); }},
      {"torch", [&] { return torch_part(task); }},
      {"header", [&] { return header_part(shown, backend); }},
      {"contract", [&] { return contract_part(task); }},
      {"machine", [&] { return machine_part(backend, machine); }},
      {"examples", [&] { return examples_part(choice, task, backend, retrieval); }},
      {"answer", [&] { return fmt::format("Answer with one code block that contains the whole {} file.", backend.suffix); }},
      {"task", [&] { return task.name; }},
      {"suffix", [&] { return backend.suffix; }},
  };
  const std::string text = template_text(choice, task, backend.name);
  return filled(text, [&](const std::string& name) -> std::string {
    const auto found = parts.find(name);
    if (found == parts.end()) {
      std::vector<std::string> known;
      for (const auto& [part, value] : parts) known.push_back(part);
      throw std::runtime_error(
          fmt::format("prompt: the template {} has {{{{{}}}}}. known: {}", choice.template_file, name, fmt::join(known, " ")));
    }
    const bool switched = std::ranges::find(prompt_parts(), name) != prompt_parts().end();
    return switched && is_off(name) ? "" : found->second();
  });
}

}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/new_task.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "assay/spec/name.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;

std::string task_yaml(const std::string& name) {
  return fmt::format(R"(summary: Scale and shift, element by element (replace this by what your kernel computes).
difficulty: 1
suites: []
model: |
  {0} (float[N, C] x, float[C] scale, float[C] shift) => (float[N, C] y)
  {{
    scaled = Mul (x, scale)
    y = Add (scaled, shift)
  }}
torch: x * scale + shift
dims: {{N: [1, 64], C: [1, 1024]}}
timing:
  cpu: {{dims: {{N: 512, C: 2048}}}}
  gpu: {{dims: {{N: 8192, C: 8192}}}}
)",
                     name);
}

std::string reference_cpp(const std::string& name) {
  return fmt::format(R"(// SPDX-License-Identifier: Apache-2.0
// One pass over the rows; the inner loop is vectorised.
#include "kernel.h"

void {0}(const float* x, const float* scale, const float* shift, float* y, int64_t N, int64_t C) {{
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = x[n * C + c] * scale[c] + shift[c];
}}
)",
                     name);
}

}  // namespace

std::vector<fs::path> write_new_task(const fs::path& root, const std::string& category, const std::string& name) {
  for (const std::string* word : {&category, &name})
    if (!spec::is_name(*word)) throw std::runtime_error(fmt::format("new-task: '{}' must match [a-z][a-z0-9_]*", *word));
  if (!fs::is_directory(root / "tasks"))
    throw std::runtime_error(
        fmt::format("new-task: {} has no folder tasks. do: call it in the project's root, or give --root", root.string()));
  for (const auto& other : fs::directory_iterator(root / "tasks"))
    if (fs::exists(other.path() / name / "task.yaml"))
      throw std::runtime_error(fmt::format("new-task: {} is a task already. do: choose another name", (other.path() / name).string()));
  const fs::path folder = root / "tasks" / category / name;
  const std::vector<std::pair<fs::path, std::string>> files = {{folder / "task.yaml", task_yaml(name)},
                                                               {root / "references" / category / (name + ".cpp"), reference_cpp(name)}};
  for (const auto& [path, text] : files)
    if (fs::exists(path)) throw std::runtime_error(fmt::format("new-task: {} is there already. do: choose another name", path.string()));
  std::vector<fs::path> written;
  for (const auto& [path, text] : files) {
    fs::create_directories(path.parent_path());
    std::ofstream out(path);
    out << text;
    if (!out.flush()) throw std::runtime_error(fmt::format("new-task: {} cannot be written", path.string()));
    written.push_back(path);
  }
  return written;
}

}  // namespace assay::generate

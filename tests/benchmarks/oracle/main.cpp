// SPDX-License-Identifier: Apache-2.0
// What a task's correctness cases cost the oracle on one core. usage: oracle_benchmark <task.yaml>...
// Prints, for each task, the processor time of evaluating all its cases in float64, and of preparing them
// whole (error scales and the float32 evaluations that bounds are learnt from too); exit 1 where the first
// exceeds a second.
#include <fmt/format.h>
#include <sys/resource.h>

#include "assay/cases/expected.h"

namespace {

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: oracle_benchmark <task.yaml>...\n");
    return 2;
  }
  double worst = 0;
  fmt::print("{:<48} {:>6} {:>12} {:>12}\n", "task", "cases", "float64 s", "prepared s");
  for (int i = 1; i < argc; ++i) {
    const assay::spec::Task task = assay::spec::load_task(argv[i]);
    const double begin = processor_seconds();
    const assay::cases::CaseFile file = assay::cases::prepare_cases(task, 1);
    const double prepared = processor_seconds() - begin;
    double evaluated = 0;
    for (const assay::cases::PreparedCase& entry : file.cases) {
      const auto shapes = assay::spec::concrete_shapes(task.model.inputs, entry.dims);
      const auto inputs = assay::cases::as_values<double>(task.model.inputs, shapes, entry.inputs);
      const double before = processor_seconds();
      assay::oracle::evaluate<double>(task.model, inputs);
      evaluated += processor_seconds() - before;
    }
    worst = std::max(worst, evaluated);
    fmt::print("{:<48} {:>6} {:>12.4f} {:>12.4f}\n", task.name, file.cases.size(), evaluated, prepared);
  }
  constexpr double kMost = 1;
  fmt::print("oracle: the slowest task takes {:.4f} s, the limit {:.0f} s: {}\n", worst, kMost, worst <= kMost ? "good" : "MISSED");
  return worst <= kMost ? 0 : 1;
}

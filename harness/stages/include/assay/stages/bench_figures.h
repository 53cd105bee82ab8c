// SPDX-License-Identifier: Apache-2.0
// From the launches of each timing shape to the verdict and the figures of a bench's record. Pure functions of a model and numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/cases/expected.h"
#include "assay/record/record.h"
#include "assay/spec/graph.h"
#include "assay/timing/machine.h"
#include "assay/timing/paired_timing.h"

namespace assay::stages {

/// What all boxes of a bench have together, where a call may take `time_limit`: half of the time that CTest gives the stage.
std::chrono::seconds bench_budget(std::chrono::seconds time_limit);

/// What a call moves and computes.
struct Work {
  double bytes = 0;         ///< read and written
  double input_bytes = 0;   ///< of all inputs
  double output_bytes = 0;  ///< of outputs that lie over no input
  double flops = 0;
};

/// Of a call on tensors like those of `layout`. What lies in place may be right already: an output there is no bound on the time, and
/// where only some of its elements are written, neither it nor its input is moved as a whole.
Work work_of(const spec::Graph& model, const cases::PreparedCase& layout);

/// The model is one product of real matrices and nothing else: its cost in operations bounds its time.
bool is_one_product(const spec::Graph& model);

/// The model cannot be had without all of its inputs. Where several operators meet, one may select from another's results.
bool reads_all_inputs(const spec::Graph& model);

/// One timing shape: what a call is, what it cost.
struct TimedShape {
  std::map<std::string, std::int64_t> dims;
  Work work;
  timing::ShapeTimes times;

  bool in_batches() const;  ///< the device's clock decides
};

/// "C=64,N=7".
std::string spell(const std::map<std::string, std::int64_t>& dims);

/// A bench whose launches are over.
struct TimedTask {
  std::vector<TimedShape> shapes;
  timing::MachinePeaks peaks;
  bool product = false, reads_all = false;  ///< is_one_product(), reads_all_inputs()
  bool is_sealed = false;                   ///< its calls (wire::Seal)
};

/// Fills in verdict, doubt, times, speedups and rates, and in record.noise, which must be there, the drift of the baseline. Times are
/// geometric means over the shapes of medians over all pairs, as speedups are. The verdict is that of the first shape that does not pass.
void fill_figures(const TimedTask& task, record::Record& record);

}  // namespace assay::stages

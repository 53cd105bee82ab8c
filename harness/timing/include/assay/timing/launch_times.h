// SPDX-License-Identifier: Apache-2.0
// How often, in which order, and what comes of it: the numbers of launches, before statistics are made of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assay/cases/expected.h"
#include "assay/cases/random.h"
#include "assay/record/record.h"
#include "assay/timing/timing.h"

namespace assay::timing {

/// How often a shape is timed.
struct Effort {
  int launches, pairs;  ///< pairs of each launch
};
/// quick, standard or publish. Throws std::runtime_error for another name.
Effort effort_of(const std::string& name);

/// Of so many pairs, whether the candidate goes first: as many of one order as of the other, shuffled, so that what the first call of a
/// pair does to the second cancels out.
std::vector<bool> balanced_orders(std::size_t count, cases::RandomStream& random);

/// Calls of one layout are a batch, up to `most` of them: where the one that begins with call `begin` ends.
std::size_t end_of_batch(std::span<const cases::PreparedCase> calls, std::size_t begin, std::size_t most);

/// What two clocks say of the candidate's batches in one launch, in seconds. All 0 where there are none.
struct Clocks {
  std::size_t calls = 0;
  double judge = 0;   ///< less what the same batches take without kernels
  double device = 0;  ///< between the events, of all calls
  double unsure = 0;  ///< by how much two such empty batches differ

  /// Seconds by which the two differ for a call, beyond most_apart() of timing.h; 0 where they agree, and without batches.
  double apart() const;
};

/// What one launch shows.
struct LaunchTimes {
  std::vector<PairTime> pairs;  ///< less the cost of an empty call, where the judge's clock decides
  double overhead = 0;          ///< of an empty call
  std::vector<double> device;   ///< seconds of the candidate's calls by its device's clock
  Clocks clocks;
  std::vector<record::DeviceState> states;  ///< before and after each batch of the candidate
};

/// The launches of one shape.
struct ShapeTimes {
  LogRatios log_ratios;
  std::vector<double> candidate, baseline;                    ///< seconds of all pairs
  std::vector<double> candidate_launches, baseline_launches;  ///< the median of each in each launch
  std::vector<double> overheads;                              ///< of each launch
  std::vector<double> device;                                 ///< seconds of the candidate's calls by its device's clock; 0: it has none
  std::vector<Clocks> clocks;                                 ///< of each launch
  std::vector<record::DeviceState> states;                    ///< of all launches

  void add(const LaunchTimes& launch);
};

}  // namespace assay::timing

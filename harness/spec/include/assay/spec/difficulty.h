// SPDX-License-Identifier: Apache-2.0
// How difficult a task is, counted from its model; docs/tasks.md has the rule in words.
#pragma once

#include "assay/spec/graph.h"

namespace assay::spec {

/// What a kernel has to do with its data by a model whose functions are written out. What shapes and constants give is not counted.
struct Work {
  int points = 0;    ///< operators that take one element of each input at a time
  int passes = 0;    ///< reductions, scans, windows and lookups, as many as need each other's results
  int products = 0;  ///< of matrices, and convolutions over channels
  int loops = 0;     ///< whose steps wait for each other

  bool operator==(const Work&) const = default;
};
Work count_work(const Graph& model);
/// 1 to 5.
int difficulty_of(const Work& work);

}  // namespace assay::spec

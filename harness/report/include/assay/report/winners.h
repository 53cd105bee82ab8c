// SPDX-License-Identifier: Apache-2.0
// The best of several timings owes part of its rank to luck. So the best sample of each run and task is timed once more, on
// new launches, and metrics of the best count that timing instead.
#pragma once

#include <string>
#include <vector>

#include "assay/report/results.h"

namespace assay {

/// The fastest correct sample of each problem of a ranked run in which several were timed: elsewhere none was chosen.
std::vector<const Sample*> winners(const Results& results);

/// Regular expressions for `ctest -R` that match the bench tests of `samples`; several where one would be too long for CTest.
std::vector<std::string> bench_expressions(const std::vector<const Sample*>& samples);

/// Adds the second timing of samples. Throws InputError for a sample that `results` do not have.
void add_retimed(Results& results, const Results& retimed);

}  // namespace assay

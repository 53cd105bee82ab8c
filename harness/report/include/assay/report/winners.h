// SPDX-License-Identifier: Apache-2.0
// The best of several timings owes part of its rank to luck. So all that could be the best of their run and task are timed once more,
// on new launches: the first timing chooses, and metrics of the best count the second.
#pragma once

#include <string>
#include <vector>

#include "assay/report/results.h"

namespace assay::report {

/// Of each problem of a ranked run in which several were timed: the samples whose 95 % intervals reach the lower end of the fastest
/// one's. Elsewhere none was chosen.
std::vector<const Sample*> winners(const Results& results);

/// Regular expressions for `ctest -R` that match the bench tests of `samples`; several where one would be too long for CTest.
std::vector<std::string> bench_expressions(const std::vector<const Sample*>& samples);

/// Adds the second timing of samples. Throws InputError for a sample that `results` do not have.
void add_retimed(Results& results, const Results& retimed);

}  // namespace assay::report

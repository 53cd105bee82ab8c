// SPDX-License-Identifier: Apache-2.0
// From the results that a build tree keeps to evaluations that a report reads, and to what is still to be judged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/report/junit.h"
#include "assay/report/results.h"
#include "assay/results/kept_result.h"

namespace assay::report {

/// The candidates that a build tree has now, by name ("<run>.<task>.<backend>.<NNN>").
using DeclaredSamples = std::map<std::string, results::Basis>;

struct KeptEvaluation {
  std::vector<JUnit> shards;  ///< one for each pair of canaries, whose doubts are of the timings between them
  KeptNotes notes;
};

/// The newest result of each test. A stage that was judged before another source took its place is left out, and so are candidates
/// that are gone, unless `with_gone`. A test that began and left no result is one that failed without a record.
KeptEvaluation kept_evaluation(const std::vector<results::KeptResult>& results, const DeclaredSamples& declared, bool with_gone);

/// Those of the candidates' tests `listed` that have no result, a HARNESS_ERROR, or one of another source, plan or tool, and the
/// stages after them. A stage after a failed one cannot run and is not among them.
std::vector<std::string> tests_to_run(const std::vector<std::string>& listed, const std::vector<results::KeptResult>& results,
                                      const DeclaredSamples& declared);

/// As CTest would have written it.
TestCase test_case_of(const results::KeptResult& result);

}  // namespace assay::report

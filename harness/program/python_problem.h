// SPDX-License-Identifier: Apache-2.0
// Problems in Python: the test is a process, and the solution is another one, which does what the test's stand-ins ask for
// (harness/python/assay_problem.py). What ends well is told by the test's own exit status: no code of the solution runs beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/compile/scratch.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/program/build.h"
#include "assay/program/run.h"

namespace assay::program {

bool is_python(const problem::Problem& problem);

/// A file of the test and its arguments, or -m, a module and its arguments. Throws NotSeparable where the test command calls no Python, or
/// more than it.
std::vector<std::string> python_test_words(const problem::Problem& problem);

/// What the test takes of the solution: "module.name". Throws NotSeparable.
BuiltTest make_python_test(const plan::Plan& plan, const problem::Problem& problem, const compile::Scratch& scratch);

/// As build_candidate(): what is kept is a file that run_python() reads. Nothing of the solution runs.
std::filesystem::path build_python(const plan::Plan& plan, const problem::Problem& problem, const std::vector<problem::TextFile>& files,
                                   const BuiltTest& test, const compile::Scratch& scratch, compile::StoredCompilation& made);

/// A solution whose functions give `result` ("0", "None") at once.
std::filesystem::path build_python_idle(const std::string& result, const compile::Scratch& scratch, compile::StoredCompilation& made);

/// As run_program().
Ended run_python(const plan::Plan& plan, const problem::Problem& problem, const std::filesystem::path& program, const Call& call,
                 const std::filesystem::path& work);

}  // namespace assay::program

// SPDX-License-Identifier: Apache-2.0
// From a problem's files to a program. The test is compiled once and linked to each candidate. What the two share is what the test takes
// from the reference solution, and what the problem's context names: all other symbols of either are its own, so that no candidate stands
// in for a function of the C library, or reaches into the test.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/compile/compile_candidate.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/program/commands.h"

namespace assay::program {

/// <build>/kernelassay/<task>/program, with judge.o and test.json; where there is a benchmark start.o, too.
std::filesystem::path test_folder(const plan::Plan& plan);

/// What was made of the test; nothing where there is a reason why not.
struct BuiltTest {
  std::string why_not;              ///< may quote the problem: escape it
  std::vector<std::string> api;     ///< symbols that the test takes from a solution
  std::vector<std::string> shared;  ///< data of inline definitions, of which one copy is to be
  bool main_in_a_library = false;
};

/// Compiles the test, and the reference to see what the test takes from it, and leaves judge.o and test.json. A test that does not
/// compile is no failure here: whoever needs it says so.
void build_test(const plan::Plan& plan);

/// Throws std::runtime_error where it is not there, or there is a reason why not.
BuiltTest load_built_test(const plan::Plan& plan);

compile::SourceFiles sources_of(const std::vector<problem::TextFile>& files);

/// What one solution becomes. Sets the verdict of `made`; the program's path where that is PASS.
std::filesystem::path build_candidate(const plan::Plan& plan, const compile::SourceFiles& sources, const compile::Scratch& scratch,
                                      compile::StoredCompilation& made);

/// The program of a solution that build_candidate() has just built in `scratch`, with a main() that returns at once: what a process costs
/// before its work begins. Of problems with a benchmark. Throws std::runtime_error.
std::filesystem::path build_start(const plan::Plan& plan, const compile::Scratch& scratch);

/// As build_candidate(), of functions that return 0 at once, one for each symbol of `test`.
std::filesystem::path build_idle(const plan::Plan& plan, const BuiltTest& test, const compile::Scratch& scratch,
                                 compile::StoredCompilation& made);

/// The candidate's files under the names that the problem's commands know: a single file takes the place of the reference's.
std::vector<problem::TextFile> placed_files(const problem::Problem& problem, const compile::SourceFiles& sources);

}  // namespace assay::program

// SPDX-License-Identifier: Apache-2.0
// Whether a solution names what its problem demands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/problem/problem.h"

namespace assay::program {

/// Of a preprocessor's output the lines that are of the solution's `files`: no header's, no branch that was left out.
std::string lines_of_solution(std::string_view preprocessed, const std::vector<problem::TextFile>& files);

/// What is missing: "names no cudaMalloc"; empty where all that is demanded stands in code of one of `texts`: not in a comment, a text or
/// a directive, and not as a part of a longer name.
std::string missing_reference(const problem::SourceReferences& demanded, const std::vector<std::string>& texts);

/// The rule of ComputeEval's own matcher, on the files as they are: tokens, also in directives and in branches that are left out, and a
/// text that is the name and nothing else.
bool matches_as_published(const problem::SourceReferences& demanded, const std::vector<problem::TextFile>& files);

}  // namespace assay::program

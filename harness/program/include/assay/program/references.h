// SPDX-License-Identifier: Apache-2.0
// Whether a solution names what its problem demands.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/problem/problem.h"

namespace assay::program {

/// What the problem's own compiler makes of a source, with lines `# 1 "file"`.
struct Preprocessed {
  std::string expanded;                  ///< of -E
  std::function<std::string()> written;  ///< of -E -fdirectives-only: branches are left out, macros stand as they are written
};

/// What is missing: "names no cudaMalloc"; empty where all that is demanded stands in code of the solution's `files`: not in a header, a
/// branch that is left out, a comment, a text or a directive, and not as a part of a longer name. What a macro of the solution drops, or
/// makes a text of, does not count; a name that is itself a macro of somebody else's header does, as it is written.
std::string missing_reference(const problem::SourceReferences& demanded, const std::vector<Preprocessed>& sources,
                              const std::vector<problem::TextFile>& files);

/// The rule of ComputeEval's own matcher, on the files as they are: tokens, also in directives and in branches that are left out, and a
/// text that is the name and nothing else.
bool matches_as_published(const problem::SourceReferences& demanded, const std::vector<problem::TextFile>& files);

}  // namespace assay::program

// SPDX-License-Identifier: Apache-2.0
// What `assay score` and `assay serve` are told alike.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "assay/score/scorer.h"

namespace assay::command {

score::ScorerOptions default_score_options();

/// --build, --jobs, --reward, --effort, --seed, --no-reuse, --redraw, --bench-cpus, --deadline-default.
void add_score_options(CLI::App& command, score::ScorerOptions& options, std::string& seed);

/// What the command line gave as text. Throws std::runtime_error.
void read_score_options(score::ScorerOptions& options, const std::string& seed);

}  // namespace assay::command

// SPDX-License-Identifier: Apache-2.0
// What all processes of a problem's test have in common: their files, their confinement, what is kept of what they print.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/program/run.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"

namespace assay::program {

/// `sources`: those in a programming language, too.
void write_files(const std::vector<problem::TextFile>& files, const std::filesystem::path& work, bool sources);

std::string beginning_and_end(const sandbox::Log& log);

/// The last line that says something.
std::string last_line(const std::string& output);

/// Without argv, descriptors and output.
sandbox::ConfinedCommand command_in(const plan::Plan& plan, const Call& call, const std::filesystem::path& work);

std::chrono::milliseconds limit_of(const Call& call);

}  // namespace assay::program

// SPDX-License-Identifier: Apache-2.0
// What a stage or a fixture ends with is kept in the folder that --results names.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "assay/results/kept_result.h"

namespace assay::judge {

void add_results_option(CLI::App& command, std::string& results);

/// Runs `work` with the file that keeps its result, nullptr where `results` names no folder or it cannot be written.
int keeping(const std::string& results, const std::string& test, results::Basis basis,
            const std::function<int(results::ResultFile*)>& work);

/// A fixture's result is its exit code, and the words that it ends with.
int keeping_fixture(const std::string& results, const std::string& test, results::Basis basis, const std::function<std::string()>& work);

}  // namespace assay::judge

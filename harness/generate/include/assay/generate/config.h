// SPDX-License-Identifier: Apache-2.0
// What `assay generate` is told: a YAML file, with the command line over it. Every key is described in docs/generate.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/generate/endpoint.h"
#include "assay/generate/prompt.h"
#include "assay/generate/strategy.h"

namespace assay::generate {

struct RunConfig {
  std::string run;
  std::string backend = "cpp";
  std::vector<std::string> tasks, suites;  ///< none of both: all tasks of the build
  int samples = 1;
  std::optional<std::int64_t> seed;  ///< of sample 0; the next sample has the next one
  StrategyChoice strategy;
  std::string system;  ///< message before the prompt
  Endpoint endpoint;
  Sampling sampling;
  Prices prices;
  PromptChoice prompt;
};

/// Throws spec::SpecError: file, line, column, what to do.
RunConfig parse_config(const std::string& text, const std::filesystem::path& file);
RunConfig load_config(const std::filesystem::path& file);

/// Throws std::runtime_error where a value is missing or out of range.
void check_config(const RunConfig& config);

/// The same as YAML, which parse_config() reads. No key of a server is in it, only its variable's name; nor a proxy, which may hold a
/// password, nor a file of this machine's authorities.
std::string config_text(const RunConfig& config);

/// A digest of all that bears on what is answered: another model, another temperature; not the number of samples, or limits.
std::string config_identity(const RunConfig& config);

}  // namespace assay::generate

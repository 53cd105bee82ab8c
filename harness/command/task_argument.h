// SPDX-License-Identifier: Apache-2.0
// How a task is named on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "assay/generate/answer.h"
#include "assay/generate/prompt.h"
#include "assay/plan/plan.h"
#include "assay/problem/problem.h"
#include "assay/spec/task.h"

namespace assay::command {

/// How `backend` compiles in a build tree. Throws std::runtime_error where it is unknown there.
std::filesystem::path find_toolchain(const std::filesystem::path& build, const std::string& backend);

/// The task that `task` means: a task.yaml, its folder, <family>.yaml#<name>, or the name of a task that `build` knows.
spec::TaskFile find_task(const std::string& task, const std::filesystem::path& build);

/// What prompts say of a backend.
generate::BackendDescription describe_backend(const plan::Toolchain& toolchain);

/// What an answer to a problem that brings its own tests has. Throws std::runtime_error where no solution of it says so.
generate::AnswerForm answer_form(const problem::Problem& problem);

/// The prompt for `task`, as find_task() takes it, with what the build says of machine and limits. A problem that brings its own tests
/// brings its own words.
std::string prompt_in_build(const std::string& task, const std::string& backend, const std::filesystem::path& build,
                            const generate::PromptChoice& choice);

/// --parts, --template and --shots.
void add_prompt_options(CLI::App& command, generate::PromptChoice& choice);

}  // namespace assay::command

// SPDX-License-Identifier: Apache-2.0
// Requests and responses as other systems' training loops have them: NeMo Gym's POST /verify, KernelGYM's POST /evaluate.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "assay/score/sample.h"

namespace assay::score {

/// From what a model said to the source of a candidate; throws SampleError where there is none in it.
using Extract = std::function<spec::SourceText(const std::string& task, const std::string& backend, const std::string& text)>;

/// Of a request, which holds a conversation.
inline constexpr std::size_t kMostGymBytes = std::size_t{16} << 20;

/// Parses `text`, nested no deeper than a conversation is. Throws SampleError.
nlohmann::json parse_gym_request(std::string_view text);

/// NeMo Gym: {"responses_create_params", "response", and the row's own members}: `task`, and where they are there `backend`, `reward`,
/// `stages`, `deadline_s`. The candidate is taken from the last message of `response.output`.
Sample sample_of_verify(const nlohmann::json& request, const Extract& extract);
/// The request with `reward`, `mask_sample`, and the answer as `assay`.
nlohmann::json verify_response(nlohmann::json request, const nlohmann::json& answer);

/// KernelGYM: `task_id` is the id, `entry_point` the task, `kernel_code` the source; `timeout` the deadline, `force_refresh` no reuse.
/// Timed unless `run_performance` or `measure_performance` is false.
Sample sample_of_evaluate(const nlohmann::json& request);
/// Runtimes are in milliseconds.
nlohmann::json evaluate_response(const nlohmann::json& answer);

}  // namespace assay::score

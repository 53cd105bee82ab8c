// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

void run_jobs(const std::vector<std::function<void()>>& jobs, int threads);

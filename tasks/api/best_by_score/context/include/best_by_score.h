// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

std::size_t best_by_score(const float* scores, std::size_t count, std::size_t k, int* best);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

std::size_t unique_counts(const int* keys, std::size_t count, int* unique, int* times);

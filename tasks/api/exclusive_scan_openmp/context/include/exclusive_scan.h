// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

std::uint64_t exclusive_scan(const std::uint64_t* numbers, std::size_t count, std::uint64_t* sums);

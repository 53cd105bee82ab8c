// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

std::size_t count_values(const std::int32_t* values, std::size_t count, std::int32_t bins, std::uint64_t* counts);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

enum class CopyResult { done, bad_pitch, overlaps };

std::size_t pitch_for(std::size_t width, std::size_t alignment);

CopyResult copy_pitched(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height);

// verdict: WRONG_RESULT
#include "copy_pitched.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

std::size_t pitch_for(std::size_t width, std::size_t alignment) { return std::max(alignment, (width + alignment - 1) & ~(alignment - 1)); }

CopyResult copy_pitched(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height) {
  if (width == 0 || height == 0) return CopyResult::done;
  if (to_pitch < width || from_pitch < width) return CopyResult::bad_pitch;
  const auto to_begin = reinterpret_cast<std::uintptr_t>(to), from_begin = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t to_end = to_begin + (height - 1) * to_pitch + width, from_end = from_begin + (height - 1) * from_pitch + width;
  for (std::size_t y = 0; y < height; ++y)
    std::memcpy(static_cast<char*>(to) + y * to_pitch, static_cast<const char*>(from) + y * from_pitch, width);
  return CopyResult::done;
}

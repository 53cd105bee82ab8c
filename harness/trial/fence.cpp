// SPDX-License-Identifier: Apache-2.0
#include "fence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace assay::trial {
namespace {

using record::Verdict;

std::uint64_t aligned(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + wire::kAlignment - 1) / wire::kAlignment * wire::kAlignment;
}

bool filled(const std::byte* from, const std::byte* to, std::uint32_t pattern) {
  for (; from + 4 <= to; from += 4)
    if (std::memcmp(from, &pattern, 4) != 0) return false;
  return std::memcmp(from, &pattern, static_cast<std::size_t>(to - from)) == 0;
}

}  // namespace

std::string name_of(std::span<const wire::Buffer> buffers, std::size_t buffer) {
  const auto kind = [](const wire::Buffer& at) { return at.is_scratch != 0 ? "scratch" : at.is_output != 0 ? "output" : "input"; };
  const char* own = kind(buffers[buffer]);
  const auto before = std::ranges::count(buffers.first(buffer), std::string_view(own), kind);
  return fmt::format("{} {}", own, before);
}

std::uint64_t pages_for(std::size_t bytes) { return (aligned(bytes) + wire::kPage - 1) / wire::kPage; }

wire::Buffer lay_out(std::uint64_t offset, std::size_t bytes, bool output) {
  const std::uint64_t pages = pages_for(bytes);
  return {offset, pages, pages * wire::kPage - aligned(bytes), bytes, output ? 1u : 0u, 0};
}

std::uint32_t poison_pattern(Poison kind, std::uint32_t number) {
  if (kind == Poison::nan) return 0x7ff80000u | (number & 0x0007ffffu) | 0x00010001u;
  return (kind == Poison::huge ? 0x7a007a00u : 0xfa00fa00u) | (number & 0x00ff00ffu) | 0x00020002u;
}

void fill(std::span<std::byte> bytes, std::uint32_t pattern) {
  // Aligned to words where it can be; fences may have any length.
  std::byte *from = bytes.data(), *to = from + bytes.size();
  for (; from + 4 <= to; from += 4) std::memcpy(from, &pattern, 4);
  std::memcpy(from, &pattern, static_cast<std::size_t>(to - from));
}

void fill_fences(std::span<const wire::Buffer> buffers, std::byte* inputs, std::byte* outputs, std::uint32_t pattern) {
  for (const wire::Buffer& at : buffers) {
    std::byte* first = (at.is_output != 0 ? outputs : inputs) + at.offset;
    std::byte* end = first + at.pages * wire::kPage;
    // Another pattern around inputs: what is read past an input's end must not pass for an intact fence.
    const std::uint32_t fence = at.is_output != 0 ? pattern : pattern ^ 0x00040200u;
    fill({first, first + at.start}, fence);
    fill({first + at.start + at.bytes, end}, fence);
  }
}

std::optional<Failure> find_damaged_fence(std::span<const wire::Buffer> buffers, const std::byte* outputs, std::uint32_t pattern) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const wire::Buffer& at = buffers[i];
    if (at.is_output == 0) continue;
    const std::byte* first = outputs + at.offset;
    const std::byte* end = first + at.pages * wire::kPage;
    if (!filled(first, first + at.start, pattern))
      return Failure{Verdict::out_of_bounds, fmt::format("wrote before the first element of {}", name_of(buffers, i))};
    if (!filled(first + at.start + at.bytes, end, pattern))
      return Failure{Verdict::out_of_bounds, fmt::format("wrote past the last element of {}", name_of(buffers, i))};
  }
  return {};
}

}  // namespace assay::trial

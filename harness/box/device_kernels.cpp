// SPDX-License-Identifier: Apache-2.0
#include "assay/box/device_kernels.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

namespace assay::box {
namespace {

constexpr std::uint64_t kPart = std::uint64_t{8} << 20;  ///< bytes that are compared or written at once

}  // namespace

DeviceKernels::DeviceKernels() {
  if (getrandom(&word_, sizeof word_, 0) != sizeof word_) throw std::runtime_error("getrandom failed");
}

void DeviceKernels::allocate(std::span<const SharedBuffer> buffers) {
  release();
  buffers_.clear();
  stowed_.clear();
  for (const SharedBuffer& shared : buffers) buffers_.push_back({shared, place(shared)});
  std::uint64_t longest = 0;
  for (const Buffer& buffer : buffers_) longest = std::max({longest, buffer.fenced.before, buffer.fenced.after});
  pattern_.resize((longest + sizeof word_ - 1) / sizeof word_ * sizeof word_);
  for (std::size_t at = 0; at < pattern_.size(); at += sizeof word_) std::memcpy(pattern_.data() + at, &word_, sizeof word_);
}

void DeviceKernels::upload(const wire::Fill& fill) {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const Fenced& fenced = buffers_[i].fenced;
    write(i, 0, pattern(fenced.before));
    if (fill.filled.contains(i)) this->fill(i, fenced.before, fenced.bytes, fill.word);
    else write(i, fenced.before, buffers_[i].payload());
    if (fenced.after > 0) write(i, fenced.before + fenced.bytes, pattern(fenced.after));
  }
}

void DeviceKernels::fill(std::size_t buffer, std::uint64_t at, std::uint64_t bytes, std::uint32_t word) {
  const std::vector<std::uint32_t> words(std::min<std::uint64_t>(kPart, bytes + sizeof word - 1) / sizeof word, word);
  const std::span part = std::as_bytes(std::span(words));
  for (std::uint64_t done = 0; done < bytes; done += part.size())
    write(buffer, at + done, part.first(std::min<std::uint64_t>(part.size(), bytes - done)));
}

/// The payloads of outputs. `change_of`: of an input, where it is changed, which is damage of the kind `change`.
std::optional<MemoryDamage> DeviceKernels::take(wire::Fault change, const ChangeOf& change_of) {
  for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
    const auto& [shared, fenced] = buffers_[i];
    for (const auto& [at, bytes] : {std::pair{std::uint64_t{0}, fenced.before}, {fenced.before + fenced.bytes, fenced.after}})
      if (const auto offset = damage_of_fence(i, at, bytes)) return MemoryDamage{i, wire::Fault::guard, *offset};
    if (shared.is_scratch) continue;
    if (shared.is_output) {
      read(i, fenced.before, buffers_[i].payload());
      continue;
    }
    if (const auto offset = change_of(i)) return MemoryDamage{i, change, *offset};
  }
  return {};
}

std::optional<MemoryDamage> DeviceKernels::download() {
  return take(wire::Fault::input_write, [this](std::size_t input) { return change_of_input(input); });
}

/// The first byte that is not what was uploaded.
std::optional<std::int64_t> DeviceKernels::change_of_input(std::size_t buffer) const {
  const auto& [shared, fenced] = buffers_[buffer];
  std::vector<std::byte> now(std::min(kPart, fenced.bytes));
  for (std::uint64_t at = 0; at < fenced.bytes; at += now.size()) {
    const std::span part = std::span(now).first(std::min<std::uint64_t>(now.size(), fenced.bytes - at));
    read(buffer, fenced.before + at, part);
    if (std::memcmp(part.data(), shared.payload + at, part.size()) == 0) continue;
    return static_cast<std::int64_t>(at) + (std::ranges::mismatch(part, std::span(shared.payload + at, part.size())).in1 - part.begin());
  }
  return {};
}

/// The first byte of the first piece that differs.
std::optional<std::int64_t> DeviceKernels::change_since(std::size_t buffer, std::span<const std::byte> digests) {
  const std::vector<std::byte> now = digests_of(buffer);
  if (std::ranges::equal(now, digests)) return {};
  const auto changed = std::ranges::mismatch(now, digests).in1 - now.begin();
  return changed / static_cast<std::int64_t>(wire::kDigestBytes) * static_cast<std::int64_t>(wire::kInputPiece);
}

void DeviceKernels::stow(std::uint32_t set, std::span<const wire::Launch> launches, const wire::Fill& fill) {
  upload(fill);
  auto& digests = stowed_[set];
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (!buffers_[i].shared.is_output) digests[i] = digests_of(i);
  seal(set);
  make_ready(launches);
}

std::optional<MemoryDamage> DeviceKernels::fetch(std::uint32_t set) {
  unseal(set);
  return take(wire::Fault::input_piece,
              [this, &digests = stowed_.at(set)](std::size_t input) { return change_since(input, digests.at(input)); });
}

/// Of the fence that begins `at` bytes into the memory, the first word that was written to, counted from the payload's first byte.
std::optional<std::int64_t> DeviceKernels::damage_of_fence(std::size_t buffer, std::uint64_t at, std::uint64_t bytes) const {
  if (bytes == 0) return {};
  std::vector<std::byte> now(bytes);
  read(buffer, at, now);
  if (std::memcmp(now.data(), pattern_.data(), bytes) == 0) return {};
  const auto changed = std::ranges::mismatch(now, pattern_).in1 - now.begin();
  return static_cast<std::int64_t>(at) - static_cast<std::int64_t>(buffers_[buffer].fenced.before) +
         changed / static_cast<std::int64_t>(sizeof word_) * static_cast<std::int64_t>(sizeof word_);
}

}  // namespace assay::box

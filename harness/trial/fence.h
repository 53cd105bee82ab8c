// SPDX-License-Identifier: Apache-2.0
// How a buffer lies in its pages, and the pattern around it that shows a kernel which writes too far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "assay/trial/box.h"

namespace assay::trial {

std::uint64_t pages_for(std::size_t bytes);

/// A buffer `offset` bytes into its file. The payload ends at the last page's end, up to alignment: an overrun meets the guard
/// page at once.
wire::Buffer lay_out(std::uint64_t offset, std::size_t bytes, bool output);

/// "input 0", "output 1", "scratch 0": each kind is counted by itself.
std::string name_of(std::span<const wire::Buffer> buffers, std::size_t buffer);

/// Of 32 bits, filled with those of `number`; no boolean and no plausible index. A sum keeps a NaN. A maximum may lose it, but keeps a huge
/// number, and a minimum a huge one below 0.
std::uint32_t poison_pattern(Poison kind, std::uint32_t number);

/// Fills the fences around every buffer. `inputs` and `outputs` are where the two files lie.
void fill_fences(std::span<const wire::Buffer> buffers, std::byte* inputs, std::byte* outputs, std::uint32_t pattern);
void fill(std::span<std::byte> bytes, std::uint32_t pattern);

/// OUT_OF_BOUNDS where a fence around an output no longer holds `pattern`. Inputs come first in `buffers`.
std::optional<Failure> find_damaged_fence(std::span<const wire::Buffer> buffers, const std::byte* outputs, std::uint32_t pattern);

}  // namespace assay::trial

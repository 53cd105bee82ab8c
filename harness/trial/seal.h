// SPDX-License-Identifier: Apache-2.0
// The judge's side of wire::Seal: what a process gets before the judge's clock runs is masked, and what it has when the clock stops is
// known by its digest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/wire/wire.h"

namespace assay::trial {

using SealKey = std::array<std::uint32_t, 8>;
using Digest = std::array<std::uint8_t, wire::kDigestBytes>;

SealKey draw_seal_key();

/// What buffer number `index` is masked: `to` has the size of `from`. On the processors `cpus` (empty: on this one).
void mask(std::span<const std::byte> from, std::span<std::byte> to, const SealKey& key, std::uint32_t index, const std::vector<int>& cpus);

/// As wire::kDigestPart says; of nothing it is zero.
Digest digest_of(const std::vector<std::span<const std::byte>>& outputs, const std::vector<int>& cpus);

}  // namespace assay::trial

// SPDX-License-Identifier: Apache-2.0
// Tells whether bytes are those of before, also where somebody would like others to pass for them: BLAKE2b, by libsodium.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay::spec {

/// 128 bits as 32 hexadecimal digits. Where one part ends and the next begins counts, too.
std::string digest(std::span<const std::string_view> parts);
std::string digest(std::string_view bytes);

}  // namespace assay::spec

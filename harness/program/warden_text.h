// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::program {

/// The source of warden.c.
extern const char* const warden_text;

}  // namespace assay::program

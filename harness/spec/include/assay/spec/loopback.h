// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::spec {

/// Whether `host`, of a URL or a Host header, can mean this machine alone: localhost, an address in 127.0.0.0/8, or ::1, which may stand
/// in brackets. A name like 127.example.org is none of these: whoever owns it says where it leads.
bool is_loopback(const std::string& host);

}  // namespace assay::spec

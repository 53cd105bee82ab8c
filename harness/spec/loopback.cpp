// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/loopback.h"

#include <arpa/inet.h>

namespace assay::spec {

bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  in_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

}  // namespace assay::spec

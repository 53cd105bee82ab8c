// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/loopback.h"

#include <gtest/gtest.h>

namespace assay::spec {
namespace {

TEST(Loopback, IsThisMachineAlone) {
  for (const char* host : {"localhost", "127.0.0.1", "127.255.255.254", "::1", "[::1]"}) EXPECT_TRUE(is_loopback(host)) << host;
}

TEST(Loopback, IsNoNameThatBeginsLikeIt) {
  for (const char* host : {"127.evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "128.0.0.1", "0.0.0.0", "127.1",
                           "127.0.0.1:80", " 127.0.0.1", "::", ""})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace assay::spec

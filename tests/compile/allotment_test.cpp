// SPDX-License-Identifier: Apache-2.0
#include "allotment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "assay/record/record.h"

namespace assay::compile {
namespace {

class Allotment : public testing::Test {
 protected:
  static void allot(const char* types, const char* gpus) {
    setenv("CTEST_RESOURCE_GROUP_0", types, 1);
    setenv("CTEST_RESOURCE_GROUP_0_GPUS", gpus, 1);
  }
  ~Allotment() override {
    unsetenv("CTEST_RESOURCE_GROUP_0");
    unsetenv("CTEST_RESOURCE_GROUP_0_GPUS");
  }
  static std::string device(const std::string& compiled_for) {
    record::Record record;
    record.device.emplace().selector = compiled_for;
    take_allotted_device(record);
    return record.device->selector;
  }
};

TEST_F(Allotment, LeavesADeviceWhereCTestSaysNothing) {
  EXPECT_EQ(allotted_resource(), "");
  EXPECT_EQ(device("P/D#1"), "P/D#1");
  allot("gpus", "");
  EXPECT_EQ(device("P/D#1"), "P/D#1");
  allot("", "id:4,slots:1");
  EXPECT_EQ(device("P/D#1"), "P/D#1");
}

TEST_F(Allotment, TakesTheIndexOfAnother) {
  allot("gpus", "id:4,slots:1");
  EXPECT_EQ(device("P/D#1"), "P/D#4");
  EXPECT_EQ(device("P/D"), "P/D#4");
  EXPECT_EQ(device("P/D #1 of 2"), "P/D #1 of 2#4");
  EXPECT_EQ(device("P/D-12"), "P/D-12#4");
}

TEST_F(Allotment, TakesTheFirstOfSeveral) {
  allot("gpus,memory", "id:12,slots:1;id:3,slots:1");
  EXPECT_EQ(allotted_resource(), "12");
  allot("gpus", "id:7");
  EXPECT_EQ(allotted_resource(), "7");
}

TEST_F(Allotment, IsNothingToACompilationWithoutADevice) {
  allot("gpus", "id:4,slots:1");
  record::Record record;
  take_allotted_device(record);
  EXPECT_FALSE(record.device);
}

}  // namespace
}  // namespace assay::compile

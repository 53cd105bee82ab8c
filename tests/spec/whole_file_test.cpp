// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "read_file.h"
#include "temporary_folder.h"

namespace assay::spec {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {})); }
  TemporaryFolder folder_;
};

TEST_F(WholeFile, ReplacesTheOldOne) {
  write_whole_file("test", folder_ / "a", "first, and longer");
  write_whole_file("test", folder_ / "a", std::string("second\0", 7));
  EXPECT_EQ(read_file(folder_ / "a"), std::string("second\0", 7));
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFile, KeepsALink) {
  write_whole_file("test", folder_ / "a", "old");
  fs::create_symlink("a", folder_ / "link");
  write_whole_file("test", folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_file(folder_ / "a"), "new");
}

TEST_F(WholeFile, WritesToWhatIsNoOrdinaryFile) {
  EXPECT_NO_THROW(write_whole_file("test", "/dev/null", "text"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFile, SaysWhoFailedWhereAndWhy) {
  EXPECT_THAT([] { write_whole_file("test", "/dev/full", "text"); },
              testing::ThrowsMessage<std::runtime_error>(
                  "test: /dev/full cannot be written: No space left on device. do: free some space on its disk"));
  EXPECT_THAT([&] { write_whole_file("test", folder_ / "none/a", "text"); },
              testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("none/a cannot be written: No such file")));
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// Which files a candidate may consist of, and that they are removed whatever they are like.
#include "assay/compile/source_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "assay/compile/scratch.h"
#include "assay/plan/run_in_child.h"
#include "temporary_folder.h"

namespace assay::compile {
namespace {

using plan::run_in_child;

namespace fs = std::filesystem;
using testing::HasSubstr;

class SourceFilesTest : public testing::Test {
 protected:
  fs::path write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string fault(const fs::path& name) { return read_source_files(folder_ / name).fault; }

  const TemporaryFolder folder_;
};

TEST_F(SourceFilesTest, ReadsAFile) {
  const SourceFiles sources = read_source_files(write("000.cpp", std::string("a\0b\r\n", 5)));
  ASSERT_EQ(sources.files.size(), 1u);
  EXPECT_EQ(sources.files[0].name, "000.cpp");
  EXPECT_EQ(sources.files[0].text, std::string("a\0b\r\n", 5));
  EXPECT_EQ(sources.fault, "");
}

TEST_F(SourceFilesTest, ReadsAFolderAndWritesItElsewhere) {
  write("000/kernel.cpp", "1"), write("000/deep/er/tile.h", "2"), write("000/.hidden", "3");
  const SourceFiles sources = read_source_files(folder_ / "000");
  ASSERT_EQ(sources.files.size(), 2u);
  EXPECT_EQ(sources.files[0].name, "deep/er/tile.h");
  write_source_files(sources, folder_ / "copy");
  EXPECT_EQ(fingerprint_of(read_source_files(folder_ / "copy")), fingerprint_of(sources));
}

TEST_F(SourceFilesTest, TellsContentsAndNamesApart) {
  write("a/x.cpp", "12"), write("b/x.cpp", "1"), write("c/y.cpp", "12");
  EXPECT_NE(fingerprint_of(read_source_files(folder_ / "a")), fingerprint_of(read_source_files(folder_ / "b")));
  EXPECT_NE(fingerprint_of(read_source_files(folder_ / "a")), fingerprint_of(read_source_files(folder_ / "c")));
}

TEST_F(SourceFilesTest, RefusesLinksByName) {
  const fs::path secret = write("secret.cpp", "not yours");
  fs::create_symlink(secret, folder_ / "000.cpp");
  fs::create_symlink("/nowhere", folder_ / "001.cpp");
  write("002/kernel.cpp", "mine");
  fs::create_symlink(secret, folder_ / "002/tile.h");
  write("003/kernel.cpp", "mine");
  fs::create_directory_symlink(folder_ / "002", folder_ / "003/more");
  fs::create_directory_symlink(folder_ / "003", folder_ / "004");
  EXPECT_THAT(fault("000.cpp"), HasSubstr("000.cpp is a symbolic link"));
  EXPECT_THAT(fault("001.cpp"), HasSubstr("001.cpp is a symbolic link"));
  EXPECT_THAT(fault("002"), HasSubstr("tile.h is a symbolic link"));
  EXPECT_THAT(fault("003"), HasSubstr("more is a symbolic link"));
  EXPECT_THAT(fault("004"), HasSubstr("004 is a symbolic link"));
  fs::create_hard_link(secret, folder_ / "005.cpp");
  EXPECT_THAT(fault("005.cpp"), HasSubstr("005.cpp is a hard link, a file of 2 names"));
  EXPECT_TRUE(read_source_files(folder_ / "000.cpp").files.empty());
}

TEST_F(SourceFilesTest, RefusesWhatIsNoFile) {
  ASSERT_EQ(mkfifo((folder_ / "000.cpp").c_str(), 0600), 0);
  EXPECT_THAT(fault("000.cpp"), HasSubstr("neither a file nor a folder"));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  (folder_ / "001.cpp").string().copy(name.sun_path, sizeof name.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  close(fd);
  EXPECT_THAT(fault("001.cpp"), HasSubstr("neither a file nor a folder"));
  EXPECT_THAT(read_source_files("/dev/zero").fault, HasSubstr("neither a file nor a folder"));
  EXPECT_THAT(fault("nowhere.cpp"), HasSubstr("does not exist"));
}

TEST_F(SourceFilesTest, HoldNoPrecompiledHeader) {
  write("file/kernel.cpp", "1"), write("file/tile.h.gch", "gpch"), write("folder/deep/tile.h.gch/x", "gpch"), write("clang/a.pch", "CPCH");
  EXPECT_THAT(fault("file"), HasSubstr("tile.h.gch is a precompiled header"));
  EXPECT_THAT(fault("folder"), HasSubstr("deep/tile.h.gch is a precompiled header"));
  EXPECT_THAT(fault("clang"), HasSubstr("a.pch is a precompiled header"));
}

TEST_F(SourceFilesTest, RefusesTooMuch) {
  write("000.cpp", "");
  EXPECT_EQ(fault("000.cpp"), "the source is empty");
  write("001.cpp", std::string((1 << 20) + 1, ' '));
  EXPECT_THAT(fault("001.cpp"), HasSubstr("1048577 bytes, more than the limit"));
  write("002/a.cpp", std::string(1 << 19, ' ')), write("002/b.cpp", std::string((1 << 19) + 1, ' '));
  EXPECT_THAT(fault("002"), HasSubstr("more than the limit"));
  write("003/1/2/3/4/5/6/7/8/a.cpp", "x");
  EXPECT_THAT(fault("003"), HasSubstr("more than 8 folders"));
}

/// Modes bind root only after it has given its capabilities up.
void become_nobody() {
  if (geteuid() != 0) return;
  if (setgid(65534) != 0 || setuid(65534) != 0) _exit(99);
}

TEST_F(SourceFilesTest, NamesWhatCannotBeRead) {
  fs::permissions(write("000.cpp", "x"), fs::perms::none);
  fs::permissions(folder_ / "", fs::perms::all);
  const int status = run_in_child([&] {
    become_nobody();
    return fault("000.cpp") == "000.cpp cannot be read" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(SourceFilesTest, AreRemovedWhateverTheirPermissions) {
  const fs::path other = write("other", "stays");
  fs::permissions(folder_ / "", fs::perms::all);
  const int status = run_in_child([&] {
    become_nobody();
    const fs::path tree = folder_ / "tree";
    fs::create_directories(tree / "a/b/c");
    std::ofstream(tree / "a/b/c/file") << "x";
    fs::create_symlink(other, tree / "a/link");
    fs::create_directory_symlink(folder_ / "", tree / "a/b/link");
    for (const char* inner : {"a/b/c", "a/b", "a", ""}) fs::permissions(tree / inner, fs::perms::none);
    remove_tree(tree);
    return fs::exists(tree) ? 1 : 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(SourceFilesTest, AreRemovedHoweverDeep) {
  const int status = run_in_child([&] {
    fs::create_directory(folder_ / "tree");
    if (chdir((folder_ / "tree").c_str()) != 0) return 1;
    for (int i = 0; i < 3000; ++i)
      if (mkdir("folder", 0700) != 0 || chdir("folder") != 0) return 1;
    return 0;
  });
  ASSERT_EQ(status, 0);
  remove_tree(folder_ / "tree");
  EXPECT_FALSE(fs::exists(folder_ / "tree"));
  EXPECT_NO_THROW(remove_tree(folder_ / "tree"));
}

}  // namespace
}  // namespace assay::compile

// SPDX-License-Identifier: Apache-2.0
#include "link_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elf_file.h"

namespace assay {
namespace {

TEST(ReadElf, NamesLoaderLibrariesAndImports) {
  const ElfFile self = read_elf("/proc/self/exe");
  EXPECT_THAT(self.interpreter, testing::HasSubstr("ld-linux"));
  EXPECT_THAT(self.needed, testing::Contains("libc.so.6"));
  EXPECT_THAT(self.imports, testing::Contains("memcpy"));
}

TEST(ReadElf, RefusesWhatIsNoElfFile) {
  EXPECT_THROW(read_elf("/etc/passwd"), std::runtime_error);
  EXPECT_THROW(read_elf("/nowhere"), std::runtime_error);
}

TEST(ForbiddenLink, NamesALibraryThatIsNotAllowed) {
  EXPECT_EQ(forbidden_link("/proc/self/exe", {"/usr/lib/libm.so.6"}).find("is linked with lib"), 0u);
}

TEST(ForbiddenLink, AllowsWhatIsListed) {
  std::vector<std::filesystem::path> allowed;
  for (const std::string& name : read_elf("/usr/bin/env").needed) allowed.push_back("/lib/" + name);
  EXPECT_EQ(forbidden_link("/usr/bin/env", allowed), "");
}

TEST(ForbiddenReference, KnowsNumericalLibrariesAndOurselves) {
  const auto name_in = [](const std::string& symbol) {
    return forbidden_reference("ld: /tmp/x.o: in function `f':\nx.cpp: undefined reference to `" + symbol + "'\n");
  };
  for (const char* symbol : {"cblas_sgemm", "dgemm_", "sgemm_", "ssyrk_", "ddot_", "saxpy_", "LAPACKE_dgesv", "mkl_malloc",
                             "dnnl_sgemm", "openblas_set_num_threads", "assay::evaluate"})
    EXPECT_EQ(name_in(symbol), symbol);
  EXPECT_EQ(name_in("at::native::add(at::Tensor const&)"), "at::native::add");
  for (const char* symbol : {"relu", "my_gemm", "sgemm_tile_kernel", "std::cout", "scale", "dot_"}) EXPECT_EQ(name_in(symbol), "");
}

TEST(ForbiddenReference, ReadsTheSecondMessageToo) {
  EXPECT_EQ(forbidden_reference("undefined reference to `helper'\nundefined reference to `cblas_sdot'\n"), "cblas_sdot");
  EXPECT_EQ(forbidden_reference("error: expected ';'\n"), "");
}

}  // namespace
}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/link_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "assay/sandbox/elf_file.h"
#include "made_library.h"
#include "temporary_folder.h"

namespace assay::compile {
namespace {

using sandbox::read_elf;

TEST(ReadElf, NamesLoaderLibrariesAndImports) {
  const sandbox::ElfFile self = read_elf("/proc/self/exe");
  EXPECT_THAT(self.interpreter, testing::HasSubstr("ld-linux"));
  EXPECT_THAT(self.needed, testing::Contains("libc.so.6"));
  EXPECT_THAT(self.imports, testing::Contains("memcpy"));
}

TEST(ReadElf, RefusesWhatIsNoElfFile) {
  EXPECT_THROW(read_elf("/etc/passwd"), std::runtime_error);
  EXPECT_THROW(read_elf("/nowhere"), std::runtime_error);
}

std::string refusal(const std::string& bytes) {
  try {
    sandbox::parse_elf(bytes);
  } catch (const sandbox::ElfError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ParseElf, ReadsADynamicSegmentWithoutSections) {
  const sandbox::ElfFile file =
      sandbox::parse_elf(MadeLibrary({.needed = {"libm.so.6", "libx.so"}, .imports = {"expf"}, .own = {"dlopen"}}).bytes());
  EXPECT_THAT(file.needed, testing::ElementsAre("libm.so.6", "libx.so"));
  EXPECT_THAT(file.imports, testing::ElementsAre("expf"));
  EXPECT_THAT(file.own, testing::ElementsAre("dlopen"));
}

TEST(ParseElf, RefusesWhatALoaderCouldReadInAnotherWay) {
  const auto refused = [](void (*change)(MadeLibrary&)) {
    MadeLibrary library({.needed = {"libm.so.6"}, .imports = {"expf"}, .own = {}});
    change(library);
    return refusal(library.bytes());
  };
  EXPECT_EQ(refused([](MadeLibrary&) {}), "accepted");
  EXPECT_THAT(refused([](MadeLibrary& l) { l.segment(0).p_flags |= PF_W; }), testing::HasSubstr("where it can be written"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.segment(1).p_vaddr -= 0x2000; }), testing::HasSubstr("overlap"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.segment(1).p_type = PT_DYNAMIC; }), testing::HasSubstr("two dynamic segments"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.segment(0).p_filesz = 1 << 20; }), testing::HasSubstr("outside of the file"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.segment(0).p_offset = ~0ull; }), testing::HasSubstr("outside of the file"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.header().e_phnum = 60000; }), testing::HasSubstr("a program header"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.header().e_phoff = ~0ull - 8; }), testing::HasSubstr("program header"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.entry(DT_STRTAB).d_un.d_ptr = 0x700000; }), testing::HasSubstr("outside of its segments"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.entry(DT_STRTAB).d_un.d_ptr = ~0ull; }), testing::HasSubstr("beyond all memory"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.entry(DT_NEEDED).d_un.d_val = l.segment(1).p_vaddr - l.entry(DT_STRTAB).d_un.d_ptr; }),
              testing::HasSubstr("where it can be written"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.entry(DT_RELASZ).d_un.d_val = ~0ull; }), testing::HasSubstr("outside of the file"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.entry(DT_RELASZ).d_tag = DT_TEXTREL; }), testing::HasSubstr("read-only"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.relocation(0).r_offset = l.segment(2).p_vaddr + 8; }),
              testing::HasSubstr("its own dynamic segment"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.relocation(0).r_info = 0xffffffffull << 32; }), testing::HasSubstr("outside of"));
  EXPECT_THAT(refused([](MadeLibrary& l) { l.header().e_ident[EI_CLASS] = ELFCLASS32; }), testing::HasSubstr("another machine"));
}

TEST(ParseElf, ThrowsNothingElseWhateverTheBytes) {
  const std::string good = MadeLibrary({.needed = {"libm.so.6"}, .imports = {"expf", "sinf"}, .own = {"relu"}}).bytes();
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal(good.substr(0, size)), "accepted") << size;
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    refused += refusal(bytes) != "accepted" ? 1 : 0;
  }
  EXPECT_GT(refused, 1000);
}

std::string verdict_on(const MadeLibrary::Says& says) {
  const TemporaryFolder folder;
  std::ofstream(folder / "kernel.so", std::ios::binary) << MadeLibrary(says).bytes();
  return forbidden_link(folder / "kernel.so", {"/lib/libm.so.6"});
}

TEST(ForbiddenLink, SurvivesANameOfAnyLength) {  // std::regex_match recursed once for each character
  const std::string name = "cblas_" + std::string(400'000, 'a');
  EXPECT_EQ(verdict_on({.needed = {"libm.so.6"}, .imports = {name}, .own = {}}), "asks for " + name.substr(0, 100) + ", if it is there");
  EXPECT_EQ(verdict_on({.needed = {"libm.so.6"}, .imports = {std::string(400'000, 'a')}, .own = {}}), "");
  EXPECT_LT(verdict_on({.needed = {std::string(400'000, '\x1b')}, .imports = {}, .own = {}}).size(), 200u);
}

TEST(ForbiddenLink, LooksAtDefinedNamesToo) {  // the loader takes the C library's dlopen() where a candidate has one of its own
  EXPECT_EQ(verdict_on({.needed = {}, .imports = {}, .own = {"dlopen"}}), "calls dlopen: kernels load no code");
  EXPECT_EQ(verdict_on({.needed = {}, .imports = {"dlsym"}, .own = {}}), "calls dlsym: kernels load no code");
  EXPECT_EQ(verdict_on({.needed = {}, .imports = {}, .own = {"sgemm_"}}), "");
}

TEST(ForbiddenLink, TakesNoPathForTheLoader) {
  EXPECT_EQ(verdict_on({.needed = {"ld-linux-x86-64.so.2"}, .imports = {}, .own = {}}), "");
  EXPECT_THAT(verdict_on({.needed = {"ld-linux/../libblas.so"}, .imports = {}, .own = {}}), testing::HasSubstr("is linked with"));
}

TEST(ForbiddenLink, RefusesWhatIsNoLibrary) {
  EXPECT_THAT(forbidden_link("/etc/passwd", {}), testing::HasSubstr("is no library that a loader reads"));
}

TEST(IsNumerical, KnowsWhatTheLibrariesAreCalled) {
  for (const char* name :
       {"cblas_", "cblas_sgemm", "zher2k_", "sgetrf_", "isamax_", "dznrm2_", "srotg_", "OrtGetApiBase", "LAPACK_x", "c10::f"})
    EXPECT_TRUE(is_numerical(name)) << name;
  for (const char* name :
       {"", "_", "sgemm", "xgemm_", "sgemmlonger_", "Orthogonal", "Ort_", "my_cblas_", "sge_", "sgeAB_", "axpy_", "abdot_", "abcdot_"})
    EXPECT_FALSE(is_numerical(name)) << name;
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
  for (const char* symbol : {"cblas_sgemm", "dgemm_", "sgemm_", "ssyrk_", "ddot_", "saxpy_", "LAPACKE_dgesv", "mkl_malloc", "dnnl_sgemm",
                             "openblas_set_num_threads", "assay::evaluate"})
    EXPECT_EQ(name_in(symbol), symbol);
  EXPECT_EQ(name_in("at::native::add(at::Tensor const&)"), "at::native::add");
  for (const char* symbol : {"relu", "my_gemm", "sgemm_tile_kernel", "std::cout", "scale", "dot_"}) EXPECT_EQ(name_in(symbol), "");
}

TEST(ForbiddenReference, ReadsTheSecondMessageToo) {
  EXPECT_EQ(forbidden_reference("undefined reference to `helper'\nundefined reference to `cblas_sdot'\n"), "cblas_sdot");
  EXPECT_EQ(forbidden_reference("error: expected ';'\n"), "");
}

}  // namespace
}  // namespace assay::compile

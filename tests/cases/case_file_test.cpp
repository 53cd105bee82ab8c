// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "assay/cases/expected.h"
#include "temporary_folder.h"

namespace assay::cases {
namespace {

namespace fs = std::filesystem;

class CaseFiles : public testing::Test {
 protected:
  fs::path file() const { return folder_ / "cases.bin"; }

  static CaseFile sample() {
    ExpectedTensor real{"y", spec::ElementType::f32, {2}, {1.5, -0.0}, {1, 2}, {0.5, 0.25}, {}, 16, 4};
    ExpectedTensor exact{"i", spec::ElementType::i64, {}, {}, {}, {}, {7}, 0, 0, 1};
    PreparedCase entry{"one", {{"N", 2}}, {2}, {{std::byte{1}, std::byte{2}}, {}}, {real, exact}, 12.5, 48, 0};
    return {0xfedcba9876543210u,
            "kernelbench",
            {entry},
            {{{{"N", 5}},
              layout_of(entry),
              {{spec::ElementType::f32, 1, 2, 8, 2, 0}, {spec::ElementType::i64, 0, 0, 0, 0, 0}},
              {{"exact", IntegerKind::both_wide, {{"N", 5}}, 3}},
              {{"wide", {{32, 8}}}},
              {{"x", {"uniform", {{"low", -1}}, {{"of", "N"}}}}}}}};
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CaseFiles, ComeBackAsTheyWere) {
  save_cases(sample(), file());
  const CaseFile read = load_cases(file());
  EXPECT_EQ(read.seed, Seed(0xfedcba9876543210u));
  EXPECT_EQ(read.profile, "kernelbench");
  ASSERT_EQ(read.cases.size(), 1u);
  const PreparedCase& entry = read.cases[0];
  EXPECT_EQ(entry.name, "one");
  EXPECT_EQ(entry.dims, (std::map<std::string, std::int64_t>{{"N", 2}}));
  EXPECT_EQ(entry.inputs, sample().cases[0].inputs);
  EXPECT_EQ(entry.outputs[0].values, (oracle::Elements<double>{1.5, -0.0}));
  EXPECT_EQ(entry.outputs[0].max_bound, 16);
  EXPECT_EQ(entry.outputs[1].exact, oracle::Elements<std::int64_t>{7});
  EXPECT_EQ(entry.outputs[1].shape, spec::Shape{});
  EXPECT_EQ(entry.outputs[0].in_place, std::nullopt);
  EXPECT_EQ(entry.outputs[1].in_place, 1u);
  EXPECT_EQ(entry.flops, 12.5);
  EXPECT_EQ(entry.scattered_bytes, 48);
  ASSERT_EQ(read.timing.size(), 1u);
  EXPECT_EQ(read.timing[0].dims.at("N"), 5);
  ASSERT_EQ(read.timing[0].inputs.size(), 1u);
  const spec::InputInit& init = read.timing[0].inputs.at("x");
  EXPECT_EQ(init.kind, "uniform");
  EXPECT_EQ(init.numbers, (std::map<std::string, double>{{"low", -1}}));
  EXPECT_EQ(init.names, (std::map<std::string, std::string>{{"of", "N"}}));
  const PreparedCase& layout = read.timing[0].layout;
  EXPECT_EQ(layout.dims.at("N"), 2);
  EXPECT_EQ(layout.dim_values, std::vector<std::int64_t>{2});
  EXPECT_EQ(layout.flops, 12.5);
  EXPECT_EQ(layout.scattered_bytes, 48);
  ASSERT_EQ(layout.outputs.size(), 2u);
  EXPECT_EQ(layout.outputs[0].name, "y");
  EXPECT_EQ(layout.outputs[0].shape, spec::Shape{2});
  EXPECT_EQ(layout.outputs[0].max_bound, 16);
  EXPECT_EQ(layout.outputs[0].rms_bound, 4);
  EXPECT_EQ(layout.outputs[1].in_place, 1u);
  EXPECT_TRUE(layout.inputs.empty() && layout.outputs[0].values.empty());
  ASSERT_EQ(read.timing[0].near.size(), 2u);
  EXPECT_EQ(read.timing[0].near[0].relative_scale, 2);
  EXPECT_EQ(read.timing[0].near[0].most, 8);
  EXPECT_EQ(read.timing[0].near[1].type, spec::ElementType::i64);
  ASSERT_EQ(read.timing[0].exact.size(), 1u);
  EXPECT_EQ(read.timing[0].exact[0].kind, IntegerKind::both_wide);
  EXPECT_EQ(read.timing[0].exact[0].dims.at("N"), 5);
  EXPECT_EQ(read.timing[0].exact[0].first_draw, 3u);
  EXPECT_EQ(read.timing[0].probes.at("wide").at(0).rms, 8);
}

TEST_F(CaseFiles, AreRefusedWhereAnOutputReplacesNoInput) {
  CaseFile odd = sample();
  odd.cases[0].outputs[1].in_place = 2;
  save_cases(odd, file());
  EXPECT_THROW(load_cases(file()), std::runtime_error);
}

TEST_F(CaseFiles, AreRefusedWhereTruncatedAtAnyByte) {
  save_cases(sample(), file());
  const auto size = fs::file_size(file());
  for (std::uintmax_t keep = 0; keep < size; ++keep) {
    save_cases(sample(), file());
    fs::resize_file(file(), keep);
    EXPECT_ANY_THROW(load_cases(file())) << keep << " of " << size;
  }
}

TEST_F(CaseFiles, AreRefusedWhereAnyBitIsWrong) {
  save_cases(sample(), file());
  const auto size = static_cast<std::streamoff>(fs::file_size(file()));
  for (std::streamoff at = 0; at < size; ++at) {
    std::fstream damaged(file(), std::ios::binary | std::ios::in | std::ios::out);
    const auto flip = [&] {
      const int byte = damaged.seekg(at).get();
      damaged.seekp(at).put(static_cast<char>(byte ^ 1 << at % 8)).flush();
    };
    flip();
    EXPECT_THROW(load_cases(file()), std::runtime_error) << at << " of " << size;
    flip();
  }
  EXPECT_NO_THROW(load_cases(file()));
}

TEST(FuzzedCaseFiles, HaveTheFormatOfToday) {
  for (const char* seed : {"reals", "halves", "integers"}) {
    const fs::path file = fs::path(FUZZ_CORPUS) / "cases" / seed;
    std::ifstream in(file, std::ios::binary);
    EXPECT_EQ(read_cases(in, fs::file_size(file), file).cases.size(), 1u) << seed;
  }
}

TEST_F(CaseFiles, AreRefusedWhereForeignOrMissing) {
  EXPECT_THROW(load_cases(file()), std::runtime_error);
  std::ofstream(file()) << "something else, long enough to hold a header";
  EXPECT_THROW(load_cases(file()), std::runtime_error);
}

}  // namespace
}  // namespace assay::cases

// SPDX-License-Identifier: Apache-2.0
#include "assay/cases/oracle_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "temporary_folder.h"

namespace assay::cases {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTask = R"(summary: Where a row is largest, how large, and whether it is larger than one.
difficulty: 1
model: |
  peak (float[N, C] x) => (int64[N] at, float[N, 1] top, bool[N, 1] large)
  {
    one = Constant <value = float {1.0}> ()
    at = ArgMax <axis = 1, keepdims = 0> (x)
    top = ReduceMax <axes = [1], keepdims = 1> (x)
    large = Greater(top, one)
  }
torch: never read
dims: {N: [2, 4], C: [1, 64]}
cases: [{name: zeros, dims: {N: 3, C: 5}, inputs: {x: {init: constant, value: 1.5}}}]
timing: {cpu: {dims: {N: 8, C: 128}}}
)";

class OracleFiles : public testing::Test {
 protected:
  OracleFiles() {
    fs::create_directories(root_ / "index/peak");
    std::ofstream(root_ / "index/peak/task.yaml") << kTask;
  }

  fs::path out() const { return root_ / "out"; }
  void write(const std::vector<std::string>& cases) const {
    write_oracle(spec::load_task(root_ / "index/peak/task.yaml"), cases, 7, out());
  }
  std::string read(const std::string& file) const {
    std::ifstream in(out() / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  template <class T>
  std::vector<T> elements(const std::string& file) const {
    const std::string bytes = read(file).substr(128);
    std::vector<T> list(bytes.size() / sizeof(T));
    std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
  }

 private:
  TemporaryFolder root_;
};

TEST_F(OracleFiles, AreNumPysFormat) {
  write({"zeros"});
  const std::string file = read("zeros/x.npy");
  ASSERT_EQ(file.size(), 128 + 15 * sizeof(float));
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,5,)}";
  EXPECT_EQ(file.substr(10, 118), header + std::string(117 - header.size(), ' ') + '\n');
}

TEST_F(OracleFiles, HoldInputsAndOutputs) {
  write({"zeros"});
  EXPECT_EQ(elements<float>("zeros/x.npy"), std::vector<float>(15, 1.5f));
  EXPECT_EQ(elements<std::int64_t>("zeros/at.npy"), std::vector<std::int64_t>(3, 0));
  EXPECT_EQ(elements<double>("zeros/top.npy"), std::vector<double>(3, 1.5));
  EXPECT_EQ(elements<double>("zeros/top.scale.npy"), std::vector<double>(3, 0));
  EXPECT_EQ(elements<char>("zeros/large.npy"), std::vector<char>(3, 1));
  EXPECT_FALSE(fs::exists(out() / "zeros/at.scale.npy"));
}

TEST_F(OracleFiles, AreListedInTheIndex) {
  write({});
  const auto index = nlohmann::json::parse(read("index.json"));
  EXPECT_EQ(index["task"], "peak");
  EXPECT_EQ(index["seed"], seed_text(7));
  EXPECT_EQ(index["torch"], "never read");
  EXPECT_EQ(index["cases"].size(), 23u);
  const auto& last = index["cases"].at(20);
  EXPECT_EQ(last["name"], "zeros");
  EXPECT_EQ(last["dims"], (nlohmann::json{{"C", 5}, {"N", 3}}));
  EXPECT_EQ(last["outputs"][1], (nlohmann::json{{"name", "top"}, {"type", "float"}, {"shape", {3, 1}}}));
}

TEST_F(OracleFiles, AnUnknownCaseIsRefusedByName) {
  try {
    write({"zeros", "nines"});
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("oracle: task peak has no case 'nines'. known: smallest "));
  }
}

}  // namespace
}  // namespace assay::cases

// SPDX-License-Identifier: Apache-2.0
// Outputs and inputs of 8 bits.
#include "assay/spec/float8.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

#include "assay/cases/expected.h"
#include "written_task.h"

namespace assay::cases {
namespace {

using spec::Case, spec::ElementType, spec::Task;

const char* const kRestSince19 = "opset: 19\ndims: {N: [1, 5000]}\ntiming: {cpu: {dims: {N: 64}}}\n";

Bytes floats(const std::vector<float>& values) {
  Bytes bytes(4 * values.size());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Bytes patterns(const std::vector<int>& bits) {
  Bytes bytes;
  for (const int pattern : bits) bytes.push_back(static_cast<std::byte>(pattern));
  return bytes;
}

TEST(Float8, IsToBeRoundedRight) {
  const Task task = written_task("(float[N] x) => (float8e4m3fn[N] y)\n  { y = Cast <to = 17> (x) }", kRestSince19);
  const PreparedCase entry = prepare_case(task, "case", {{"N", 5}}, {floats({17, 1, -1000, 0.3F, NAN})}, kLearntOrders);
  EXPECT_TRUE(compare(entry, {patterns({0x58, 0x38, 0xfe, 0x2a, 0xff})}).accepted);
  for (const auto& wrong :
       {patterns({0x59, 0x38, 0xfe, 0x2a, 0x7f}), patterns({0x58, 0x39, 0xfe, 0x2a, 0x7f}), patterns({0x58, 0x38, 0x7e, 0x2a, 0x7f}),
        patterns({0x58, 0x38, 0xfe, 0x29, 0x7f}), patterns({0x58, 0x38, 0xfe, 0x2a, 0x7e}), patterns({0x58, 0x38, 0xff, 0x2a, 0x7f})})
    EXPECT_FALSE(compare(entry, {wrong}).accepted);
}

TEST(Float8, IsKeptInCaseFiles) {
  for (const auto& [type, to] : {std::pair("float8e4m3fn", 17), std::pair("float8e5m2", 19)}) {
    const Task task = written_task(fmt::format("(float[N] x) => ({}[N] y)\n  {{ y = Cast <to = {}> (x) }}", type, to), kRestSince19);
    CaseFile file{1, {}, {}, {}};
    file.cases.push_back(prepare_case(task, "case", {{"N", 2}}, {floats({17, 1})}, kLearntOrders));
    std::stringstream bytes;
    write_cases(file, bytes);
    const CaseFile read = read_cases(bytes, bytes.str().size(), "cases.bin");
    EXPECT_EQ(read.cases.at(0).outputs.at(0).type, task.model.outputs[0].type);
    EXPECT_EQ(read.cases.at(0).outputs.at(0).values, file.cases[0].outputs[0].values);
  }
}

TEST(Float8, MayGoEitherWayWhereFloat32Decides) {
  // A third of 51 is 17, the middle between 16 and 18, or what float32 makes of it; a third of 54 is 18.
  const Task task = written_task(
      "(float[N] x) => (float8e4m3fn[N] y)\n  {\n    t = Mul(x, 0.3333333432674408)\n    y = Cast <to = 17> (t)\n  }", kRestSince19);
  const PreparedCase entry = prepare_case(task, "case", {{"N", 2}}, {floats({51, 54})}, kLearntOrders);
  EXPECT_TRUE(compare(entry, {patterns({0x58, 0x59})}).accepted);
  EXPECT_TRUE(compare(entry, {patterns({0x59, 0x59})}).accepted);
  EXPECT_FALSE(compare(entry, {patterns({0x5b, 0x59})}).accepted);
  EXPECT_FALSE(compare(entry, {patterns({0x58, 0x58})}).accepted);
}

TEST(Float8, OfInputsHasManyNumbersInEveryCase) {
  for (const char* type : {"float8e4m3fn", "float8e5m2"}) {
    const Task task = written_task(std::string("(") + type + "[N] x) => (float[N] y)\n  { y = Cast <to = 1> (x) }", kRestSince19);
    for (const Case& entry : task.cases) {
      const std::map<std::string, std::int64_t> dims = {{"N", 4000}};
      const Bytes x = draw_inputs(task, entry.inputs, dims, 7, entry.name).front();
      ASSERT_EQ(x.size(), 4000u);
      EXPECT_GE(std::set(x.begin(), x.end()).size(), 5u) << type << " " << entry.name;
      EXPECT_LT(std::ranges::count(x, x.front()), 3990) << type << " " << entry.name;
    }
  }
}

TEST(Float8, SpecialValuesAreThoseOfTheType) {
  const Task task = written_task("(float8e5m2[N] x) => (float8e5m2[N] y)\n  { y = Identity(x) }", kRestSince19);
  const Bytes x = draw_inputs(task, {{"x", {"special"}}}, {{"N", 4000}}, 7, "special").front();
  const std::set<std::byte> seen(x.begin(), x.end());
  EXPECT_TRUE(seen.contains(std::byte{0x7c}));  // infinity
  EXPECT_TRUE(seen.contains(std::byte{0x7b}));  // the largest number, in place of what is beyond
  EXPECT_TRUE(seen.contains(std::byte{0x80}));  // minus zero
  EXPECT_TRUE(std::ranges::any_of(
      seen, [](std::byte b) { return std::isnan(spec::double_from_float8(static_cast<std::uint8_t>(b), ElementType::f8e5m2)); }));
}

}  // namespace
}  // namespace assay::cases

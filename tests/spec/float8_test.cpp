// SPDX-License-Identifier: Apache-2.0
// 8-bit floats: numbers of the OFP8 specification, their classes in kernel.h, and their types in a model's text.
#include "assay/spec/float8.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "assay/spec/error.h"
#include "assay/spec/half.h"
#include "assay/spec/task.h"
#include "float8_classes.h"
#include "model_text.h"

namespace assay::spec {
namespace {

using testing::HasSubstr, testing::StartsWith;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ElementType kE4m3 = ElementType::f8e4m3, kE5m2 = ElementType::f8e5m2;

TEST(Float8, HasTheNumbersOfTheSpecification) {
  EXPECT_EQ(double_from_float8(0x7e, kE4m3), 448);
  EXPECT_EQ(double_from_float8(0x08, kE4m3), 0x1p-6);
  EXPECT_EQ(double_from_float8(0x07, kE4m3), 0x1.cp-7);
  EXPECT_EQ(double_from_float8(0x01, kE4m3), 0x1p-9);
  EXPECT_EQ(double_from_float8(0xb8, kE4m3), -1);
  EXPECT_TRUE(std::isnan(double_from_float8(0x7f, kE4m3)));
  EXPECT_TRUE(std::isnan(double_from_float8(0xff, kE4m3)));
  EXPECT_EQ(double_from_float8(0x7b, kE5m2), 57344);
  EXPECT_EQ(double_from_float8(0x04, kE5m2), 0x1p-14);
  EXPECT_EQ(double_from_float8(0x01, kE5m2), 0x1p-16);
  EXPECT_EQ(double_from_float8(0x7c, kE5m2), kInfinity);
  EXPECT_EQ(double_from_float8(0xfc, kE5m2), -kInfinity);
  for (const int bits : {0x7d, 0x7e, 0x7f, 0xff}) EXPECT_TRUE(std::isnan(double_from_float8(static_cast<std::uint8_t>(bits), kE5m2)));
}

TEST(Float8, EveryPatternComesBack) {
  for (const ElementType type : {kE4m3, kE5m2})
    for (int bits = 0; bits < 256; ++bits) {
      const auto pattern = static_cast<std::uint8_t>(bits);
      const double x = double_from_float8(pattern, type);
      if (std::isnan(x)) EXPECT_TRUE(std::isnan(stored_as(x, type)));
      else EXPECT_EQ(float8_from_double(x, type), pattern);
    }
}

TEST(Float8, RoundsTiesToEven) {
  EXPECT_EQ(stored_as(17, kE4m3), 16);  // between 16 and 18
  EXPECT_EQ(stored_as(19, kE4m3), 20);
  EXPECT_EQ(stored_as(17.001, kE4m3), 18);
  EXPECT_EQ(stored_as(0x1.8p-9, kE4m3), 0x1p-8);
  EXPECT_EQ(stored_as(0x1p-10, kE4m3), 0);
  EXPECT_EQ(stored_as(9, kE5m2), 8);
  EXPECT_EQ(stored_as(11, kE5m2), 12);
  EXPECT_TRUE(std::signbit(stored_as(-0x1p-20, kE5m2)));
  EXPECT_EQ(spacing(16, kE4m3), 2);
  EXPECT_EQ(spacing(0, kE5m2), 0x1p-16);
}

TEST(Float8, SaturatesWhereItIsAskedTo) {
  EXPECT_EQ(stored_as(464, kE4m3), 448);  // a tie, of which the even one is a number
  EXPECT_TRUE(std::isnan(stored_as(464.001, kE4m3)));
  EXPECT_TRUE(std::isnan(stored_as(-kInfinity, kE4m3)));
  EXPECT_EQ(stored_as(61439, kE5m2), 57344);
  EXPECT_EQ(stored_as(-61440, kE5m2), -kInfinity);
  EXPECT_EQ(saturated(1e9, kE4m3), 448);
  EXPECT_EQ(saturated(-kInfinity, kE5m2), -57344);
  EXPECT_TRUE(std::isnan(saturated(std::nan(""), kE4m3)));
}

/// The class that kernel.h defines, against float8_from_double.
template <class Class>
void check_class(ElementType type) {
  for (int bits = 0; bits < 256; ++bits) {
    Class number;
    number.bits = static_cast<std::uint8_t>(bits);
    const double right = double_from_float8(number.bits, type);
    const float got = number;
    if (std::isnan(right)) EXPECT_TRUE(std::isnan(got)) << bits;
    else EXPECT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(static_cast<float>(right))) << bits;
  }
  for (std::uint64_t word = 0; word < std::uint64_t{1} << 32; word += 40'009) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(word));
    const Class got(x);
    if (std::isnan(x)) ASSERT_TRUE(std::isnan(static_cast<float>(got)));
    else ASSERT_EQ(got.bits, float8_from_double(saturated(x, type), type)) << x;
  }
  for (int bits = 0; bits < 0x7b; ++bits) {  // the middle between neighbours, and what is next to it
    const double low = double_from_float8(static_cast<std::uint8_t>(bits), type),
                 high = double_from_float8(static_cast<std::uint8_t>(bits + 1), type);
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float x : {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, 1e9F)})
      EXPECT_EQ(Class(x).bits, float8_from_double(x, type)) << x;
  }
}

TEST(Float8, ItsClassConvertsAsTheJudgeDoes) {
  check_class<float8_e4m3>(kE4m3);
  check_class<float8_e5m2>(kE5m2);
}

Task quantizer() {
  Task task;
  task.name = "quantize";
  task.summary = "Quantizes.";
  task.model.inputs = {{"x", ElementType::f8e5m2, {{"N", -1}}}};
  task.model.outputs = {{"y", ElementType::f8e4m3, {{"N", -1}}}};
  task.dims = {"N"};
  return task;
}

TEST(Float8, IsATypeOfKernelH) {
  EXPECT_EQ(kernel_signature(quantizer()), "void quantize(const float8_e5m2* x, float8_e4m3* y, int64_t N);");
  const std::string header = kernel_header(quantizer());
  for (const char* said : {"/// in  x: float8e5m2 [N], row-major", "struct float8_e4m3 {", "struct float8_e5m2 {",
                           "typedef uint8_t float8_e4m3; /* its bits (uchar in OpenCL C)"})
    EXPECT_THAT(header, HasSubstr(said));
  EXPECT_THAT(kernel_header(quantizer(), {{{"float8_e4m3", "__nv_fp8_e4m3"}}, {"cuda_fp8.h"}, ""}),
              HasSubstr("typedef __nv_fp8_e4m3 float8_e4m3;\n"));
}

Graph parse(const std::string& text, int opset = 19) { return parse_model(text, opset, {"task.yaml", 10, 2}); }

std::string error_of(const std::string& text, int opset = 19) {
  try {
    parse(text, opset);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Float8, IsATypeOfTheModel) {
  const Graph graph =
      parse("f (float8e4m3fn[N] x, float8e5m2[2*N] z) => (float8e5m2[N] y)\n{ w = Cast <to = 1> (x) y = Cast <to = 19> (w) }");
  EXPECT_EQ(graph.inputs[0].type, kE4m3);
  EXPECT_EQ(graph.inputs[1].type, kE5m2);
  EXPECT_EQ(graph.outputs[0].type, kE5m2);
}

TEST(Float8, MistakesAreReportedWhereTheyAre) {
  EXPECT_EQ(error_of("f (float[N] a,\n   float8e4m3fn[N] x) => (float[N] y)\n{ y = Cast <to = 1> (x) }", 18),
            "task.yaml:11:6: model: float8e4m3fn is there from opset 19 on, got opset 18. do: say 'opset: 19' in task.yaml");
  EXPECT_EQ(error_of("f (complex64[N] x) => (float[N] y)\n{ y = Abs(x) }"),
            "task.yaml:10:6: model: tensors are of real numbers, got complex64. do: keep a complex number as a pair of reals, float[N, 2]");
  EXPECT_EQ(
      error_of("f (float8e5m2[N] x) => (float8e5m2[N] y)\n{\n  y = Mul(x, 0.5)\n}"),
      "task.yaml:12:16: model: 0.5 stands beside a float8e5m2, which no operator computes with. do: cast the float8e5m2 to float first");
  // What stands behind the type keeps its column.
  EXPECT_THAT(error_of("f (float8e5m2[N] x) => (float8e5m2[N] y, ) { y = Identity(x) }"), StartsWith("task.yaml:10:"));
}

}  // namespace
}  // namespace assay::spec

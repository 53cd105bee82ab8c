// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/spec/task.h"

namespace assay::spec {
namespace {

using testing::HasSubstr, testing::Not;

Task mixed_types() {
  Task task;
  task.name = "pick";
  task.summary = "Picks rows.";
  task.model.inputs = {
      {"x", ElementType::f32, {{"V", -1}, {"", 3}}}, {"idx", ElementType::i64, {{"N", -1}}}, {"keep", ElementType::boolean, {}}};
  task.model.outputs = {{"y", ElementType::f64, {{"N", -1}, {"W", -1}}}};
  task.dims = {"V", "N", "W"};
  return task;
}

TEST(Signature, PutsTensorsInOrderThenDimensions) {
  EXPECT_EQ(kernel_signature(mixed_types()),
            "void pick(const float* x, const int64_t* idx, const bool* keep, double* y, int64_t V, int64_t N, int64_t W);");
}

TEST(Header, SaysWhatEachTensorIs) {
  const std::string header = kernel_header(mixed_types());
  EXPECT_THAT(header, HasSubstr("/// Picks rows."));
  EXPECT_THAT(header, HasSubstr("/// in  x: float [V, 3], row-major"));
  EXPECT_THAT(header, HasSubstr("/// in  keep: bool [], row-major"));
  EXPECT_THAT(header, HasSubstr("/// out y: double [N, W], row-major"));
}

TEST(InPlace, InputAndOutputAreOneParameter) {
  Task task = mixed_types();
  task.model.inputs.push_back({"state", ElementType::f64, {{"N", -1}, {"W", -1}}});
  task.model.outputs.push_back({"count", ElementType::i64, {}});
  task.in_place = {{0, 3}};
  EXPECT_EQ(kernel_signature(task),
            "void pick(const float* x, const int64_t* idx, const bool* keep, double* state, int64_t* count, int64_t V, "
            "int64_t N, int64_t W);");
  EXPECT_THAT(kernel_header(task), HasSubstr("/// in, out state: double [N, W], row-major; y is written over it\n/// out count"));
  EXPECT_THAT(kernel_stub(task), HasSubstr("pick((const float*)tensors[0], (const int64_t*)tensors[1], (const bool*)tensors[2], "
                                           "(double*)tensors[4], (int64_t*)tensors[5], dims[0], dims[1], dims[2]);"));
}

Task halves() {
  Task task;
  task.name = "cast";
  task.summary = "Casts.";
  task.model.inputs = {{"x", ElementType::f16, {{"N", -1}}}};
  task.model.outputs = {{"y", ElementType::bf16, {{"N", -1}}}};
  task.dims = {"N"};
  return task;
}

TEST(Header, HasTheBackendsOwnTypes) {
  const KernelTypes types{{{"float16", "__half"}, {"bfloat16", "__nv_bfloat16"}}, {"cuda_fp16.h", "cuda_bf16.h"}, "cudaStream_t"};
  EXPECT_EQ(kernel_signature(halves(), types), "void cast(const float16* x, bfloat16* y, int64_t N, cudaStream_t stream);");
  const std::string header = kernel_header(halves(), types);
  EXPECT_THAT(header, HasSubstr("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"));
  EXPECT_THAT(header, HasSubstr("typedef __half float16;\ntypedef __nv_bfloat16 bfloat16;\n"));
  EXPECT_THAT(kernel_stub(halves(), types),
              HasSubstr("cast((const float16*)tensors[0], (bfloat16*)tensors[1], dims[0], (cudaStream_t)stream);"));
}

TEST(Header, HasBitsWhereTheCompilerHasNoType) {
  const std::string header = kernel_header(halves());
  EXPECT_THAT(header, HasSubstr("typedef uint16_t float16;"));
  EXPECT_THAT(header, HasSubstr("struct bfloat16 {"));
  EXPECT_THAT(kernel_header(mixed_types()), Not(HasSubstr("float16")));
}

TEST(Stub, CallsThroughTheUniformVector) {
  EXPECT_THAT(kernel_stub(mixed_types()), HasSubstr("pick((const float*)tensors[0], (const int64_t*)tensors[1], (const bool*)tensors[2], "
                                                    "(double*)tensors[3], dims[0], dims[1], dims[2]);"));
}

TEST(ConcreteShapes, BindDimensions) {
  const auto shapes = concrete_shapes(mixed_types().model.inputs, {{"V", 7}, {"N", 2}});
  EXPECT_EQ(shapes, (std::vector<Shape>{{7, 3}, {2}, {}}));
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// What cannot name a task, a tensor or a dimension, and what must be able to.
#include "reserved_names.h"

#include <gtest/gtest.h>

#include "assay/spec/suite.h"

namespace assay::spec {
namespace {

TEST(ReservedNames, AreWordsOfEveryLanguage) {
  EXPECT_EQ(taken_as_parameter("float"), "a word of C");
  EXPECT_EQ(taken_as_parameter("int64_t"), "a word of C");
  EXPECT_EQ(taken_as_parameter("NULL"), "a word of C");
  EXPECT_EQ(taken_as_parameter("template"), "a word of C++");
  EXPECT_EQ(taken_as_parameter("xor"), "a word of C++");
  EXPECT_EQ(taken_as_parameter("threadIdx"), "a word of CUDA");
  EXPECT_EQ(taken_as_parameter("kernel"), "a word of OpenCL");
  EXPECT_EQ(taken_as_parameter("lambda"), "a word of Python");
  EXPECT_EQ(taken_as_parameter("float4"), "a vector type of CUDA and OpenCL");
  EXPECT_EQ(taken_as_parameter("ushort16"), "a vector type of CUDA and OpenCL");
  EXPECT_EQ(taken_as_parameter("a__b"), "of a form that compilers keep for themselves");
  EXPECT_EQ(taken_as_parameter("_X"), "of a form that compilers keep for themselves");
}

TEST(ReservedNames, OfFunctionsAreThoseOfTheLibrariesToo) {
  for (const char* name : {"and", "int", "kernel", "sqrt", "sqrtf", "sinl", "rsqrt", "erfinvf", "max", "malloc", "index", "main", "tensors",
                           "pthread_create", "cudaMalloc", "assay_call", "omp_get_wtime"})
    EXPECT_NE(taken_as_function(name), "") << name;
  EXPECT_EQ(taken_as_function("tanhf"), "a function of <math.h> or of CUDA");
  EXPECT_EQ(taken_as_function("memcpy"), "a name of the C library or of the stub that calls the kernel");
  EXPECT_EQ(taken_as_function("mtx_lock"), "of a family of names of the C library, OpenMP, CUDA or KernelAssay");
}

TEST(ReservedNames, LeaveOrdinaryNamesAlone) {
  for (const char* name :
       {"x",       "y",     "n",     "N",   "C",   "F",    "K",    "w",      "b",  "out",     "input", "weight", "bias",   "mask",
        "indices", "index", "scale", "max", "exp", "time", "step", "stride", "x1", "float_x", "int_8", "_x",     "half_x", "a_1"})
    EXPECT_EQ(taken_as_parameter(name), "") << name;
  for (const char* name : {"relu", "softmax", "cosine", "logical_and", "square_root", "sinkhorn", "half_precision", "reflect", "gelu",
                           "sqrt_sum", "atomic", "abs_max", "leakyrelul", "selu", "float_add"})
    EXPECT_EQ(taken_as_function(name), "") << name;
}

TEST(ReservedNames, NoTaskHasOne) {
  const auto all = list_tasks(TASKS_FOLDER);
  for (const ListedTask& task : all) EXPECT_EQ(taken_as_function(task.name), "") << task.from.text();
  EXPECT_FALSE(all.empty());
}

}  // namespace
}  // namespace assay::spec

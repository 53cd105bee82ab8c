// SPDX-License-Identifier: Apache-2.0
// What becomes of what Python says; that PyTorch is asked the right thing is tested where there is one (tests/torch).
#include "assay/admission/torch_line.h"

#include <gtest/gtest.h>

#include "written_task.h"

namespace assay::admission {
namespace {

using Result = TorchComparison::Result;

const std::string kModel = "(float[N, C] x) => (float[N, C] y) { y = Exp(x) }";
const std::string kRest = "dims: {N: [1, 4], C: [1, 8]}\ntiming: {cpu: {dims: {N: 512, C: 512}}}\n";

/// A Python whose PyTorch ends with `code`. Of its arguments it wants a program, and a folder with the inputs of a case.
TorchComparison compared_by(const char* look, const char* code) {
  const TemporaryFolder folder;
  const auto python = folder / "python";
  std::ofstream(python)
      << "#!/bin/sh\n[ \"$1\" = -c ] && exit " << look
      << "\ncase \"$3\" in *torch*) ;; *) exit 9;; esac\n[ \"$4\" = --folder ] && [ -f \"$5/smallest/x.npy\" ] || exit 9\n"
      << "echo at 3 the model gives 1\nexit " << code << "\n";
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  return compare_torch_line(written_task(kModel, kRest + "torch: torch.exp(x)\n"), 1, python.string());
}

TEST(TorchLine, IsComparedWhereTorchIs) {
  EXPECT_EQ(compared_by("0", "0").result, Result::agrees);
  const TorchComparison differs = compared_by("0", "1");
  EXPECT_EQ(differs.result, Result::differs);
  EXPECT_EQ(differs.said, "at 3 the model gives 1\n");
}

TEST(TorchLine, IsNotComparedElsewhere) {
  EXPECT_EQ(compared_by("3", "1").result, Result::not_compared);
  EXPECT_EQ(compared_by("0", "3").result, Result::not_compared) << "it is there, and cannot be imported";
  const spec::Task task = written_task(kModel, kRest + "torch: torch.exp(x)\n");
  const TorchComparison missing = compare_torch_line(task, 1, "/nowhere/python");
  EXPECT_EQ(missing.result, Result::not_compared);
  EXPECT_NE(missing.said.find("'/nowhere/python' has no PyTorch. do: "), std::string::npos);
}

TEST(TorchLine, MayBeMissing) { EXPECT_EQ(compare_torch_line(written_task(kModel, kRest), 1, "/nowhere/python").result, Result::none); }

}  // namespace
}  // namespace assay::admission

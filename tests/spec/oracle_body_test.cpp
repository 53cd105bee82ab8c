// SPDX-License-Identifier: Apache-2.0
// Models without a body, and the folder harness/ that goes with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "assay/spec/dim_expression.h"
#include "assay/spec/error.h"
#include "assay/spec/task.h"
#include "temporary_folder.h"

namespace assay::spec {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class OracleBody : public testing::Test {
 protected:
  /// A task of this model, with the named sources in its folder harness/ and a range of K where `ranges` has one.
  TaskFile write(const std::string& model, const std::vector<std::string>& sources, const std::string& ranges = "") const {
    const auto folder = root_ / "math/task";
    std::filesystem::create_directories(folder / "harness");
    std::ofstream(folder / "task.yaml") << "summary: A task.\ndifficulty: 1\nmodel: |\n  " << model << "\ndims: {N: [1, 9], C: [1, 9]"
                                        << ranges << "}\ntiming: {cpu: {dims: {N: 9, C: 9" << (ranges.empty() ? "" : ", K: 9") << "}}}\n";
    for (const std::string& source : sources) std::ofstream(folder / "harness" / source) << "// " << source << "\n";
    return folder / "task.yaml";
  }

  const TemporaryFolder root_;
};

TEST_F(OracleBody, IsOneNodeOfAllTensors) {
  TaskFile from = write("task (float[N, C] x, int64 [ N ]index) => (float[N , 2*C] y, bool s)", {"oracle.cpp"});
  from.library = "/lib/harness.so";
  const Task task = load_task(from);
  EXPECT_TRUE(task.harness.oracle);
  EXPECT_FALSE(task.harness.verify);
  ASSERT_EQ(task.model.nodes.size(), 1u);
  const Node& node = task.model.nodes.front();
  EXPECT_EQ(node.domain + "." + node.op_type, "assay.TaskOracle");
  EXPECT_EQ(node.inputs, (std::vector<std::string>{"x", "index"}));
  EXPECT_EQ(node.outputs, (std::vector<std::string>{"y", "s"}));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(at_dims(node, {{"N", 3}, {"C", 5}}).attributes.at("extents")),
            (std::vector<std::int64_t>{3, 10}));
  EXPECT_EQ(std::get<std::string>(node.attributes.at("library")), "/lib/harness.so");
  EXPECT_EQ(std::get<std::shared_ptr<const Graph>>(node.attributes.at("signature"))->inputs.size(), 4u);
  EXPECT_EQ(task.model_text.find("TaskOracle"), std::string::npos) << "what prompts and reports show is what the author wrote";
}

TEST_F(OracleBody, IsWrittenOnce) {
  EXPECT_THAT([&] { load_task(write("task (float[N, C] x) => (float[N, C] y)", {"verify.cpp"})); },
              ThrowsMessage<SpecError>(HasSubstr("task.yaml:3:8: model: has no body. do: write one, or ")));
  EXPECT_THAT([&] { load_task(write("task (float[N, C] x) => (float[N, C] y) { y = Exp(x) }", {"oracle.cpp"})); },
              ThrowsMessage<SpecError>(HasSubstr("harness/oracle.cpp stands in its place. do: keep one of them")));
}

TEST_F(OracleBody, HasKnownShapes) {
  for (const char* extent : {"K", "N + K"})
    EXPECT_THAT([&] { load_task(write(std::string("task (float[N, C] x) => (float[") + extent + "] y)", {"oracle.cpp"})); },
                ThrowsMessage<SpecError>(HasSubstr("model: 'y' has the dimension K that no input has. do: give it a range in dims")));
  const Task task = load_task(write("task (float[N, C] x) => (float[K] y)", {"oracle.cpp"}, ", K: [1, 9]"));
  EXPECT_EQ(task.free_dims, (std::vector<std::string>{"N", "C", "K"}));
}

TEST_F(OracleBody, MistakesInTheSignatureAreTheParsers) {
  for (const char* model :
       {"task (float[N, C] x) => (float[N, C y)", "task (flaot[N, C] x) => (float[N, C] y)", "task x => y", "task () => ()"})
    EXPECT_THROW(load_task(write(model, {"oracle.cpp"})), SpecError) << model;
}

TEST_F(OracleBody, VerifyGoesWithAModelToo) {
  const Task task = load_task(write("task (float[N, C] x) => (float[N, C] y) { y = Exp(x) }", {"verify.cpp"}));
  EXPECT_TRUE(task.harness.verify);
  EXPECT_EQ(task.model.nodes.front().op_type, "Exp");
}

TEST_F(OracleBody, SourcesArePartOfWhatATaskSays) {
  const TaskFile from = write("task (float[N, C] x) => (float[N, C] y)", {"oracle.cpp", "verify.cpp"});
  EXPECT_THAT(own_text(from), testing::AllOf(HasSubstr("// oracle.cpp"), HasSubstr("// verify.cpp"), HasSubstr("summary: A task.")));
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// What a record gives for an altered model or input is what a whole evaluation gives, and only what changes is run.
#include "recorded_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "alterations.h"
#include "written_task.h"

namespace assay::admission {
namespace {

using cases::draw_inputs, cases::PreparedCase, cases::prepare_case;
using oracle::Tensor, oracle::Value, oracle::evaluate;
using spec::Graph, spec::Task;

const char* const kRecordedDims = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 64, K: 64}}}\n";

Task task_of_layers() {
  return written_task(
      "(float[N, K] x, float[K, K] v, float[K, K] w) => (float[N, K] y, float[N, K] z) {\n    a = MatMul(x, v)\n    b = Relu(a)\n"
      "    z = Tanh(b)\n    c = MatMul(b, w)\n    s = Constant <value = float {0.5}> ()\n    d = Mul(c, s)\n    y = Add(d, b)\n  }",
      kRecordedDims);
}

void expect_same(const std::vector<Value<double>>& got, const std::vector<Value<double>>& right) {
  ASSERT_EQ(got.size(), right.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto &a = std::get<Tensor<double>>(got[i].elements), &b = std::get<Tensor<double>>(right[i].elements);
    ASSERT_EQ(a.shape(), b.shape());
    for (std::size_t n = 0; n < a.size(); ++n) EXPECT_EQ(a[n], b[n]) << i << " " << n;
  }
}

class Recorded : public testing::Test {
 protected:
  Task task_ = task_of_layers();
  PreparedCase prepared_ = prepare_case(task_, "case", {{"N", 5}, {"K", 9}}, draw_inputs(task_, {}, {{"N", 5}, {"K", 9}}, 1, "case"), {});
  std::vector<Value<double>> inputs_ = inputs_of(prepared_, task_);
  RecordedRun run_{task_.model, {}, inputs_};
};

TEST_F(Recorded, GivesTheModelsOutputs) {
  expect_same(run_.outputs(), evaluate<double>(task_.model, inputs_));
  expect_same(run_.outputs_of(task_.model, inputs_), evaluate<double>(task_.model, inputs_));
  EXPECT_EQ(run_.shape("c"), (spec::Shape{5, 9}));
}

TEST_F(Recorded, GivesThoseOfEachAlteredNode) {
  for (const std::size_t skipped : {1U, 2U, 5U, 6U}) {
    Graph altered = task_.model;
    altered.nodes[skipped].op_type = "Identity";
    altered.nodes[skipped].inputs.resize(1);
    expect_same(run_.outputs_of(altered, inputs_), evaluate<double>(altered, inputs_));
  }
}

TEST_F(Recorded, GivesThoseOfAChangedConstantAndOfChangedInputs) {
  Graph altered = task_.model;
  std::get<spec::ConstantTensor>(altered.nodes[4].attributes.at("value")).reals = {0.25};
  expect_same(run_.outputs_of(altered, inputs_), evaluate<double>(altered, inputs_));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    auto inputs = inputs_;
    Tensor<double> doubled(inputs[i].shape());
    const auto& before = std::get<Tensor<double>>(inputs_[i].elements);
    for (std::size_t n = 0; n < doubled.size(); ++n) doubled[n] = 2 * before[n];
    inputs[i].elements = doubled;
    expect_same(run_.outputs_of(task_.model, inputs), evaluate<double>(task_.model, inputs));
  }
}

TEST_F(Recorded, TakesFromTheRecordWhatDoesNotChange) {
  Graph altered = task_.model;
  altered.nodes[6].op_type = "Sub";
  const auto outputs = run_.outputs_of(altered, inputs_);
  const auto before = run_.outputs();
  const auto data = [](const Value<double>& value) { return std::get<Tensor<double>>(value.elements).data(); };
  EXPECT_NE(data(outputs[0]), data(before[0]));
  EXPECT_EQ(data(outputs[1]), data(before[1]));
}

TEST(RecordedRun, TakesAttributesAtTheDimensionsOfTheCase) {
  const Task task = written_task(
      "(float[N, G*C, 4] x, float[G*C, 1, 3] w) => (float[N, G*C, 2] y) {\n    h = Abs(x)\n    y = Conv <group = G*C> (h, w)\n  }",
      "dims: {N: [1, 4], G: [1, 4], C: [1, 4]}\ntiming: {cpu: {dims: {N: 64, G: 8, C: 8}}}\n");
  const spec::Dims dims{{"N", 2}, {"G", 2}, {"C", 3}};
  const PreparedCase prepared = prepare_case(task, "case", dims, draw_inputs(task, {}, dims, 1, "case"), {});
  EXPECT_EQ(prepared.dim_values, (std::vector<std::int64_t>{2, 2, 3}));
  const auto inputs = inputs_of(prepared, task);
  const RecordedRun run(task.model, dims, inputs);
  expect_same(run.outputs(), evaluate<double>(task.model, dims, inputs));
  Graph altered = task.model;
  altered.nodes[0].op_type = "Neg";
  expect_same(run.outputs_of(altered, inputs), evaluate<double>(altered, dims, inputs));
}

TEST(RecordedRun, ComputesAgainWhatWasNotKept) {
  // Forty values of 8 MiB that are quickly computed: more than are kept.
  std::string body = "(float[N] x) => (float[N] y) {\n    h0 = Neg(x)\n";
  for (int n = 1; n < 40; ++n) body += "    h" + std::to_string(n) + " = Abs(h" + std::to_string(n - 1) + ")\n";
  const Task task = written_task(body + "    y = Sub(h39, h0)\n  }", "dims: {N: [1, 2]}\ntiming: {cpu: {dims: {N: 64}}}\n");
  Tensor<double> x(spec::Shape{1 << 20});
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) - 1e5;
  std::vector<Value<double>> inputs(1);
  inputs[0].elements = x;
  const RecordedRun run(task.model, {}, inputs);
  for (const std::size_t altered_node : {5U, 35U}) {
    Graph altered = task.model;
    altered.nodes[altered_node].op_type = "Neg";
    const auto got = run.outputs_of(altered, inputs), right = evaluate<double>(altered, inputs);
    EXPECT_TRUE(std::ranges::equal(std::get<Tensor<double>>(got[0].elements), std::get<Tensor<double>>(right[0].elements)));
  }
}

}  // namespace
}  // namespace assay::admission

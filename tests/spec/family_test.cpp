// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "assay/spec/task.h"
#include "temporary_folder.h"

namespace assay::spec {
namespace {

const std::string kHead = R"y(summary: "{what}, element by element."
difficulty: 1
suites: [some]
model: |
  {task} ({type}[N, C] x) => ({type}[N, C] y)
  { y = {op}(x) }
torch: "{function}(x)"
dims: {N: [1, 64], C: [1, 1024]}
timing:
  cpu: {dims: {N: 64, C: 4096}}
)y";
const std::string kTypes = "types: [float, bfloat16]\n";
const std::string kTasks = R"(tasks:
  cosine: {op: Cos, what: Cosine, function: torch.cos}
  sine: {op: Sin, what: Sine, function: torch.sin, types: [float], difficulty: 2, suites: {other: [Sin], more: []}}
)";

Task member(const std::string& text, const std::string& name) { return parse_task(text, "/tasks/math/unary.yaml#" + name); }

std::string refusal(const std::string& text, const std::string& name = "cosine") {
  try {
    member(text, name);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Family, TaskHasWhatItSaysAndWhatTheFamilySays) {
  const Task sine = member(kHead + kTypes + kTasks, "sine");
  EXPECT_EQ(sine.name, "sine");
  EXPECT_EQ(sine.category, "math");
  EXPECT_EQ(sine.summary, "Sine, element by element.");
  EXPECT_EQ(sine.torch, "torch.sin(x)");
  EXPECT_EQ(sine.difficulty, 2);
  EXPECT_EQ(sine.suites, (SuiteRows{{"more", {}}, {"other", {"Sin"}}}));
  EXPECT_EQ(sine.model.nodes.at(0).op_type, "Sin");
  const Task cosine = member(kHead + kTypes + kTasks, "cosine");
  EXPECT_EQ(cosine.difficulty, 1);
  EXPECT_EQ(cosine.suites, (SuiteRows{{"some", {}}}));
  EXPECT_EQ(cosine.timing.at("cpu").size(), 1u);
  EXPECT_EQ(cosine.dim_ranges.at("C").high, 1024);
}

const std::string kScaled = R"y(summary: "{what}."
difficulty: 1
model: |
  {task} ({type}[N, {extent}] x) => ({type}[N, {extent}] y)
  {
    y = Mul(x, {factor})
  }
dims: {N: [1, 64], C: [1, 64]}
timing:
  cpu: {dims: {N: 64, C: 64}}
types: [float, bfloat16, int32]
tasks:
  doubled: {what: Twice the input, factor: 2, extent: 2*C}
  halved: {what: Half of the input, factor: 0.5, extent: C}
)y";

TEST(Family, LiteralsHaveTheTypeOfTheTask) {
  const auto literal = [](const std::string& name) {
    return std::get<ConstantTensor>(member(kScaled, name).model.nodes.at(0).attributes.at("value"));
  };
  EXPECT_EQ(literal("doubled").type, ElementType::f32);
  EXPECT_EQ(literal("doubled_bfloat16").type, ElementType::bf16);
  EXPECT_EQ(literal("doubled_bfloat16").reals, std::vector<double>{2});
  EXPECT_EQ(literal("doubled_int32").type, ElementType::i32);
  EXPECT_EQ(literal("doubled_int32").integers, std::vector<std::int64_t>{2});
  EXPECT_EQ(literal("halved").reals, std::vector<double>{0.5});
  EXPECT_EQ(refusal(kScaled, "halved_int32"),
            "/tasks/math/unary.yaml:6:16: model: 0.5 is no int32, the type of the other operand. do: use a number that it has, or cast the "
            "operand");
}

TEST(Family, ExtentsMayBeExpressions) {
  const Task task = member(kScaled, "doubled_bfloat16");
  EXPECT_EQ(concrete_shapes(task.model.inputs, {{"N", 3}, {"C", 5}}), (std::vector<Shape>{{3, 10}}));
  EXPECT_EQ(task.dims, (std::vector<std::string>{"N", "C"}));
  std::string text = kScaled;
  text.replace(text.find("2*C"), 3, "C-2");
  EXPECT_EQ(refusal(text, "doubled").substr(0, 90),
            "/tasks/math/unary.yaml:4:21: model: dims: extent C-2: must be at least 1. got: C - 2 = -1 ");
}

TEST(Family, OwnTextIsOfItsTaskAndWhatAllShare) {
  const TemporaryFolder folder;
  const auto text_with = [&](const std::string& old, const std::string& changed, const std::string& name) {
    std::string text = kHead + kTypes + kTasks;
    text.replace(text.find(old), old.size(), changed);
    const std::filesystem::path file = folder.path() / "unary.yaml";
    std::ofstream(file) << text;
    return own_text(file.string() + "#" + name);
  };
  const std::string cosine = text_with("Cosine", "Cosine", "cosine");
  EXPECT_EQ(text_with("what: Sine", "what: sine", "cosine"), cosine);
  EXPECT_EQ(text_with("tasks:\n", "# a comment\n\ntasks:\n", "cosine"), cosine);
  EXPECT_NE(text_with("what: Cosine", "what: cosine", "cosine"), cosine);
  EXPECT_NE(text_with("suites: [some]", "suites: [more]", "cosine"), cosine);
  EXPECT_NE(text_with("Cosine", "Cosine", "cosine_bfloat16"), cosine);
  EXPECT_EQ(text_with("suites: [some]", "suites: [more]", "sine"), text_with("Cosine", "Cosine", "sine")) << "it has suites of its own";
}

TEST(Family, TypesMakeTasks) {
  const Task cosine = member(kHead + kTypes + kTasks, "cosine_bfloat16");
  EXPECT_EQ(cosine.name, "cosine_bfloat16");
  EXPECT_EQ(cosine.model.inputs.at(0).type, ElementType::bf16);
  EXPECT_EQ(member(kHead + kTypes + kTasks, "cosine").model.inputs.at(0).type, ElementType::f32);
}

TEST(Family, VariantsMakeTasks) {
  const std::string head = R"(summary: A sum or a maximum.
difficulty: 1
model: |
  {task} (float[N, C] x) => (float[N{rest}] y)
  { y = {op} <axes = [1], keepdims = {keep}> (x) }
opset: 13
dims: {N: [1, 8], C: [1, 8]}
timing: {cpu: {dims: {N: 8, C: 8}}}
variants:
  plain: {keep: 0, rest: ""}
  keepdims: {keep: 1, rest: ", 1", difficulty: 3}
)";
  const std::string text = head + "tasks:\n  peak: {op: ReduceMax}\n  low: {op: ReduceMin, variants: [keepdims]}\n";
  EXPECT_EQ(member(text, "peak").model.outputs.at(0).shape.size(), 1u);
  EXPECT_EQ(member(text, "peak_keepdims").model.outputs.at(0).shape.size(), 2u);
  EXPECT_EQ(member(text, "peak_keepdims").difficulty, 3);
  EXPECT_EQ(member(text, "low_keepdims").model.nodes.at(0).op_type, "ReduceMin");
  EXPECT_EQ(refusal(text, "low"), "/tasks/math/unary.yaml:1:1: the family has no task 'low'. did you mean: low_keepdims?");
}

TEST(Family, IsAskedForByATask) {
  const std::string text = kHead + kTypes + kTasks;
  EXPECT_EQ(refusal(text, "tangent"), "/tasks/math/unary.yaml:1:1: the family has no task 'tangent'");
  EXPECT_THROW(parse_task(text, "/tasks/math/unary.yaml"), SpecError);
  EXPECT_THROW(parse_task("summary: x\n", "/tasks/math/relu/task.yaml#relu"), SpecError);
}

TEST(Family, RefusesWhatSaysNothing) {
  const auto with = [](const std::string& entry) { return kHead + "types: [float]\ntasks:\n  " + entry + "\n"; };
  EXPECT_EQ(refusal(with("cosine: {op: Cos, what: x}")),
            "/tasks/math/unary.yaml:7:8: nothing says what {function} is. known: op task type what");
  EXPECT_EQ(refusal(with("cosine: {op: Cos, what: x, function: f, colour: red}")),
            "/tasks/math/unary.yaml:13:3: 'colour' is no key of a task, and nothing says {colour}. do: remove it, or use it");
  EXPECT_EQ(refusal(with("cosine: {op: Cos, what: '{function}', function: '{what}'}")),
            "/tasks/math/unary.yaml:1:10: variables name each other in a circle");
  EXPECT_EQ(refusal(with("cosine: {op: [Cos], what: x, function: f}")),
            "/tasks/math/unary.yaml:13:16: 'op' is no key of a task: it must be a text");
  EXPECT_EQ(refusal(with("cosine: {op: Cos, what: x, function: f, type: int8}")),
            "/tasks/math/unary.yaml:13:43: 'type' cannot be a variable's name");
}

TEST(Family, RefusesTwoTasksOfOneName) {
  EXPECT_EQ(refusal(kHead + kTypes + kTasks + "  cosine_bfloat16: {op: Cos, what: x, function: f, types: [float]}\n"),
            "/tasks/math/unary.yaml:15:3: tasks: two are called 'cosine_bfloat16'. do: give one of them another name");
}

TEST(Family, RefusesWhatCMakeReadsOtherwise) {
  const std::string head = kHead + kTypes + "tasks:\n";
  EXPECT_EQ(refusal(head + "    cosine: {op: Cos, what: x, function: f}\n"),
            "/tasks/math/unary.yaml:13:5: tasks: 'cosine' must stand on a line of its own, two spaces from its beginning");
  EXPECT_EQ(refusal(head + "  cosine:\n    op: Cos\n    what: x\n    function: f\n    difficulty: 2\n"),
            "/tasks/math/unary.yaml:17:5: tasks: cosine: 'difficulty' must stand on the line of 'cosine'");
  EXPECT_EQ(refusal(head + "  cosine: {op: Cos, what: x, function: f, types: float}\n"),
            "/tasks/math/unary.yaml:13:50: tasks: cosine: 'types' must be a list, like [a, b]");
  EXPECT_EQ(refusal(kHead + "types:\n  - float\n" + kTasks),
            "/tasks/math/unary.yaml:12:3: types: must be one line, like 'types: [float, bfloat16]'");
  EXPECT_EQ(refusal(head + "  Cosine: {op: Cos, what: x, function: f}\n"),
            "/tasks/math/unary.yaml:13:3: tasks: name 'Cosine' must match [a-z][a-z0-9_]*");
}

TEST(Family, RefusesTypesAndVariantsThatItDoesNotHave) {
  const std::string head = kHead + kTypes + "tasks:\n  cosine: {op: Cos, what: x, function: f, ";
  EXPECT_EQ(refusal(head + "types: [int8]}\n"), "/tasks/math/unary.yaml:13:50: types: the family has no 'int8'");
  EXPECT_EQ(refusal(head + "variants: [causal]}\n"), "/tasks/math/unary.yaml:13:53: variants: the family has no 'causal'");
  EXPECT_EQ(refusal(kHead + "types: [float, bf16]\n" + kTasks), "/tasks/math/unary.yaml:11:8: types: unknown type 'bf16'");
}

TEST(Family, IsNamedWithItsTask) {
  const TaskFile plain("/a#b/relu/task.yaml"), of_family("tasks/math/unary.yaml#cosine");
  EXPECT_EQ(plain.file, "/a#b/relu/task.yaml");
  EXPECT_EQ(plain.member, "");
  EXPECT_EQ(of_family.file, "tasks/math/unary.yaml");
  EXPECT_EQ(of_family.member, "cosine");
  EXPECT_EQ(of_family.text(), "tasks/math/unary.yaml#cosine");
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/launch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace assay::spec {
namespace {

using testing::ElementsAre;

using Kind = ConcreteArgument::Kind;

/// Inputs x and idx, the output y; dimensions N, C and D, of which nothing follows from their names.
Task a_task() {
  Task task;
  task.name = "pick";
  task.model.inputs = {{"x", ElementType::f32, {{"N", -1}, {"C", -1}}}, {"idx", ElementType::i64, {{"N", -1}}}};
  task.model.outputs = {{"y", ElementType::f32, {{"D", -1}}}};
  task.dims = {"N", "C", "D"};
  return task;
}

/// A file whose launch block has `statements` from its second line on.
std::string file_with(const std::string& statements) {
  return fmt::format("/* launch\n{}\n*/\n__kernel void f(global float* y) {{ }}\nkernel void g(void) {{ }}\n", statements);
}

std::string message_of(const std::string& source, const std::optional<Dims>& dims = {}, const Task& task = a_task()) {
  try {
    const LaunchBlock block = parse_launch_block(source, task);
    if (dims) evaluate(block, *dims);
  } catch (const LaunchError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with(fmt::format("{}:{}: ", error.at().line, error.at().column))) << what;
    return what;
  }
  return "no error";
}

std::int64_t value_of(const std::string& expression, const Dims& dims = {}) {
  const auto block = parse_launch_block(file_with(fmt::format("kernel f global [1] (long({}))", expression)), a_task());
  return evaluate(block, dims).launches.at(0).arguments.at(0).value;
}

TEST(LaunchBlock, IsEvaluatedAtDimensions) {
  const std::string source = R"(// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch partial: float[N * div_up(C, 256)]
   scratch order :half [C]   # sorted
   kernel row_sums  global [round_up(C, 256), N]  local [256, 1]  (x, partial, C, local float[256])
   kernel finish    global [round_up(N, 64)]      (partial, order, y, N, int(div_up(C, 256) - 3), long(N * C))
   kernel row_sums  global[1,2,3]local[1,2,1]()
*/
__kernel void row_sums() {}
kernel void finish() {}
)";
  const LaunchBlock block = parse_launch_block(source, a_task());
  EXPECT_THAT(kernel_names(block), ElementsAre("row_sums", "finish"));
  const ConcretePlan plan = evaluate(block, {{"N", 7}, {"C", 300}, {"D", 1}});
  EXPECT_THAT(plan.scratch_bytes, ElementsAre(7 * 2 * 4, 300 * 2));
  ASSERT_EQ(plan.launches.size(), 3);

  const ConcreteLaunch& rows = plan.launches[0];
  EXPECT_EQ(rows.kernel, "row_sums");
  EXPECT_EQ(rows.at, (SourcePosition{5, 4}));
  EXPECT_EQ(rows.rank, 2);
  EXPECT_THAT(rows.global, ElementsAre(512, 7, 1));
  EXPECT_THAT(rows.local, ElementsAre(256, 1, 1));
  ASSERT_EQ(rows.arguments.size(), 4);
  EXPECT_EQ(rows.arguments[0].buffer, 0);
  EXPECT_EQ(rows.arguments[1].buffer, 3);
  EXPECT_EQ(rows.arguments[1].kind, Kind::buffer);
  EXPECT_EQ(rows.arguments[2].kind, Kind::i64);
  EXPECT_EQ(rows.arguments[2].value, 300);
  EXPECT_EQ(rows.arguments[3].kind, Kind::local);
  EXPECT_EQ(rows.arguments[3].bytes, 1024);

  const ConcreteLaunch& finish = plan.launches[1];
  EXPECT_EQ(finish.rank, 1);
  EXPECT_THAT(finish.global, ElementsAre(64, 1, 1));
  EXPECT_THAT(finish.local, ElementsAre(0, 0, 0));
  ASSERT_EQ(finish.arguments.size(), 6);
  EXPECT_EQ(finish.arguments[1].buffer, 4);
  EXPECT_EQ(finish.arguments[2].buffer, 2);
  EXPECT_EQ(finish.arguments[3].value, 7);
  EXPECT_EQ(finish.arguments[4].kind, Kind::i32);
  EXPECT_EQ(finish.arguments[4].value, -1);
  EXPECT_EQ(finish.arguments[5].kind, Kind::i64);
  EXPECT_EQ(finish.arguments[5].value, 2100);

  EXPECT_EQ(plan.launches[2].rank, 3);
  EXPECT_THAT(plan.launches[2].local, ElementsAre(1, 2, 1));
  EXPECT_TRUE(plan.launches[2].arguments.empty());
}

TEST(LaunchBlock, HasCudasWords) {
  const LaunchBlock block =
      parse_launch_block(file_with("scratch count: int[1] zero\n"
                                   "scratch part: float[N]\n"
                                   "kernel f grid [div_up(C, 64), N] block [64, 2] cluster [1, 7] shared [4 * C] (x, count)\n"
                                   "kernel g grid [N] block [32] shared [1] ()\n"
                                   "kernel g grid [7] block [32, 2] cluster [7] ()"),
                         a_task());
  const ConcretePlan plan = evaluate(block, {{"N", 7}, {"C", 300}, {"D", 1}});
  EXPECT_THAT(plan.zeroed, ElementsAre(0));
  EXPECT_EQ(plan.launches[0].rank, 2);
  EXPECT_THAT(plan.launches[0].global, ElementsAre(320, 14, 1));
  EXPECT_THAT(plan.launches[0].local, ElementsAre(64, 2, 1));
  EXPECT_THAT(plan.launches[0].cluster, ElementsAre(1, 7, 1));
  EXPECT_EQ(plan.launches[0].shared_bytes, 1200);
  EXPECT_THAT(plan.launches[1].global, ElementsAre(224, 1, 1));
  EXPECT_THAT(plan.launches[1].cluster, ElementsAre(0, 0, 0));
  EXPECT_EQ(plan.launches[1].shared_bytes, 1);
  EXPECT_EQ(plan.launches[2].rank, 2);
  EXPECT_THAT(plan.launches[2].global, ElementsAre(224, 2, 1));
  EXPECT_THAT(plan.launches[2].local, ElementsAre(32, 2, 1));
  EXPECT_THAT(plan.launches[2].cluster, ElementsAre(7, 1, 1));
}

TEST(LaunchBlock, NamesAnOutputInPlaceAsItsInput) {
  Task task = a_task();
  task.in_place = {{0, 0}};
  const ConcretePlan plan = evaluate(parse_launch_block(file_with("kernel f global [N] (idx, x)"), task), {{"N", 7}, {"C", 300}, {"D", 1}});
  EXPECT_EQ(plan.launches[0].arguments[0].buffer, 1);
  EXPECT_EQ(plan.launches[0].arguments[1].buffer, 2);
  EXPECT_THAT(message_of(file_with("kernel f global [N] (y)"), {}, task), testing::HasSubstr("known: tensors idx x, dimensions N C D"));
}

TEST(LaunchBlock, HasTheTypesOfOpenClC) {
  const std::pair<const char*, std::uint64_t> bytes[] = {{"float", 4}, {"double", 8}, {"half", 2},  {"bfloat16", 2},
                                                         {"char", 1},  {"uchar", 1},  {"short", 2}, {"ushort", 2},
                                                         {"int", 4},   {"uint", 4},   {"long", 8},  {"ulong", 8}};
  for (const auto& [type, size] : bytes) {
    const auto block =
        parse_launch_block(file_with(fmt::format("scratch s: {0}[5] kernel f global [1] (s, local {0}[3])", type)), a_task());
    const ConcretePlan plan = evaluate(block, {});
    EXPECT_EQ(plan.scratch_bytes.at(0), 5 * size) << type;
    EXPECT_EQ(plan.launches.at(0).arguments.at(1).bytes, 3 * size) << type;
  }
}

/// The candidate in docs/launch.md, at the dimensions that the page works out.
TEST(LaunchPage, ShowsACandidateThatIsRead) {
  std::ifstream page(DOCS_FOLDER "/launch.md");
  const std::string text{std::istreambuf_iterator<char>(page), std::istreambuf_iterator<char>()};
  const std::size_t begin = text.find("```c\n"), end = text.find("\n```\n", begin);
  ASSERT_NE(end, std::string::npos) << "docs/launch.md has no candidate";
  const std::string candidate = text.substr(begin + 5, end - begin - 5);
  const LaunchBlock block = parse_launch_block(candidate, a_task());
  const ConcretePlan plan = evaluate(block, {{"N", 7}, {"C", 300}, {"D", 7}});
  ASSERT_EQ(plan.launches.size(), 2);
  EXPECT_THAT(plan.launches[0].global, ElementsAre(512, 7, 1));
  EXPECT_THAT(plan.launches[1].global, ElementsAre(64, 1, 1));
  EXPECT_THAT(plan.scratch_bytes, ElementsAre(14 * sizeof(float)));
  EXPECT_THAT(text, testing::HasSubstr("\n" + message_of(candidate, Dims{{"N", 7}, {"C", 0}}) + "\n"));
}

/// In CUDA's words, which say the same.
TEST(LaunchPage, ShowsTheCandidateInCudaToo) {
  std::ifstream page(DOCS_FOLDER "/launch.md");
  const std::string text{std::istreambuf_iterator<char>(page), std::istreambuf_iterator<char>()};
  std::vector<ConcretePlan> plans;
  for (const std::string fence : {"```c\n", "```cpp\n"}) {
    const std::size_t begin = text.find(fence) + fence.size(), end = text.find("\n```\n", begin);
    plans.push_back(evaluate(parse_launch_block(text.substr(begin, end - begin), a_task()), {{"N", 7}, {"C", 300}, {"D", 7}}));
  }
  EXPECT_EQ(plans[0].scratch_bytes, plans[1].scratch_bytes);
  ASSERT_EQ(plans[0].launches.size(), plans[1].launches.size());
  for (std::size_t i = 0; i < plans[0].launches.size(); ++i) {
    EXPECT_EQ(plans[0].launches[i].global, plans[1].launches[i].global);
    EXPECT_EQ(plans[0].launches[i].local, plans[1].launches[i].local);
  }
  EXPECT_EQ(plans[1].launches[0].shared_bytes, plans[0].launches[0].arguments.back().bytes);
}

struct ExpressionValue {
  const char* expression;
  std::int64_t value;
};

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

/// With N=7, C=-7, D=0. The same expression of numbers alone is folded while it is read: both ways have to
/// agree.
constexpr ExpressionValue kValues[] = {
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 4 - 3", 3},
    {"100 / 10 / 5", 2},
    {"100 % 7 * 2", 4},
    {"N - 1 + 2", 8},
    {"N / 2", 3},
    {"C / 2", -3},
    {"C % 4", -3},
    {"N % C", 0},
    {"min(N, 3) + max(N, 3)", 10},
    {"div_up(N, 7)", 1},
    {"div_up(N, 2)", 4},
    {"div_up(N + 1, 7)", 2},
    {"div_up(C, 2)", -3},
    {"div_up(C, D - 2)", 4},
    {"div_up(N, D - 2)", -3},
    {"div_up(D, 5)", 0},
    {"round_up(N, 4)", 8},
    {"round_up(N + 1, 4)", 8},
    {"round_up(C, 4)", -4},
    {"round_up(N, D - 1)", 7},
    {"div_up(N, D - 1)", -7},
    {"N / (D - 1)", -7},
    {"(D - 9223372036854775807 - 1) % (D - 1)", 0},
    {"9223372036854775807 + D", kLargest},
    {"D - 9223372036854775807 - 1", kSmallest},
    {"round_up(D - 9223372036854775807 - 1, D - 1)", kSmallest},
    {"min(div_up(max(N, C), 3), (N))", 3},
};

TEST(LaunchExpression, HasTheValueWorkedOutByHand) {
  for (const auto& [expression, value] : kValues) {
    EXPECT_EQ(value_of(expression, {{"N", 7}, {"C", -7}, {"D", 0}}), value) << expression;
    std::string numbers;
    for (const char* c = expression; *c != 0; ++c)
      numbers += *c == 'N' ? "7" : *c == 'C' ? "(0 - 7)" : *c == 'D' ? "0" : std::string(1, *c);
    EXPECT_EQ(value_of(numbers), value) << numbers;
  }
}

TEST(LaunchExpression, OfManyTermsNeedsNoStack) {
  std::string sum = "N";
  for (int i = 0; i < 100'000; ++i) sum += "+N";
  EXPECT_EQ(value_of(sum, {{"N", 3}}), 300'003);
}

TEST(LaunchExpression, MayBeNested64Deep) {
  const auto nested = [](int depth, const std::string& open) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    return text + "1" + std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_EQ(value_of(nested(64, "(")), 1);
  EXPECT_EQ(value_of(nested(64, "max(N, "), {{"N", 5}}), 5);
  const std::string many = "kernel f global [1] (long(" + nested(500'000, "(") + "))";
  EXPECT_EQ(message_of(file_with(many)), "2:91: kernel 'f': an expression nested more than 64 deep");
  EXPECT_EQ(message_of(file_with("kernel f global [" + nested(65, "min(1, ") + "]")),
            "2:466: kernel 'f': an expression nested more than 64 deep");
}

struct Wrong {
  const char* statements;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.statements; }

class WrongBlock : public testing::TestWithParam<Wrong> {};

TEST_P(WrongBlock, IsRejectedWithItsPlace) { EXPECT_EQ(message_of(file_with(GetParam().statements)), GetParam().message); }

constexpr Wrong kStatements[] = {
    {"", "3:1: the launch block: expected at least one 'kernel <name> global [...] (...)'. got: the block's end"},
    {"scratch s: int[1]", "3:1: the launch block: expected at least one 'kernel <name> global [...] (...)'. got: the block's end"},
    {" * kernel f", "2:2: the launch block: expected a statement, 'scratch' or 'kernel'. got: '*'"},
    {"\n  launch f", "3:3: the launch block: expected a statement, 'scratch' or 'kernel'. got: 'launch'"},
    {"kernel f global [1] () ;", "2:24: the launch block has no such character. got: ';'"},
    {"kernel f global [1] (\x01)", "2:22: the launch block has no such character. got: '?'"},
    {"kernel f global [1] (\xe2\x80\xae)", "2:22: the launch block has no such character. got: '?'"},
    {"kernel 7 global [1] ()", "2:8: kernel: expected a name. got: '7'"},
    {"kernel f [1] ()", "2:10: kernel 'f': expected 'global'. got: '['"},
    {"kernel f global 1 ()", "2:17: kernel 'f': expected '['. got: '1'"},
    {"kernel f global [] ()", "2:18: kernel 'f': expected a number, a dimension or '('. got: ']'"},
    {"kernel f global [-1] ()", "2:18: kernel 'f': expected a number, a dimension or '('. got: '-'"},
    {"kernel f global [N N] ()", "2:20: kernel 'f': expected ']'. got: 'N'"},
    {"kernel f global [1,1,1,1] ()", "2:24: kernel 'f': more than 3 sizes"},
    {"kernel f grid [1] ()", "2:19: kernel 'f': expected 'block'. got: '('"},
    {"kernel f grid [1] local [1] ()", "2:19: kernel 'f': expected 'block'. got: 'local'"},
    {"kernel f global [1] block [1] ()", "2:21: kernel 'f': expected '('. got: 'block'"},
    {"kernel f grid [1] cluster [1] block [1] ()", "2:19: kernel 'f': expected 'block'. got: 'cluster'"},
    {"kernel f global [1] local [1] cluster [1] ()", "2:31: kernel 'f': expected '('. got: 'cluster'"},
    {"kernel f grid [1] block [1, 1, 1, 1] ()", "2:35: kernel 'f': more than 3 sizes"},
    {"kernel f grid [1] block [1] shared 4 ()", "2:36: kernel 'f': expected '['. got: '4'"},
    {"kernel f global [N, C] local [1] ()", "2:24: kernel 'f': global and local must have as many sizes as each other. got: 2 and 1"},
    {"kernel f global [1]", "3:1: kernel 'f': expected '('. got: the block's end"},
    {"kernel f global [1] (x", "3:1: kernel 'f': expected ')'. got: the block's end"},
    {"kernel f global [1] (x,)",
     "2:24: kernel 'f': expected an argument: a name, 'int(...)', 'long(...)' or 'local <type>[...]'. got: "
     "')'"},
    {"kernel f global [1] (4)",
     "2:22: kernel 'f': expected an argument: a name, 'int(...)', 'long(...)' or 'local <type>[...]'. got: "
     "'4'"},
    {"kernel f global [1] (N + 1)", "2:24: kernel 'f': expected ')'. got: '+'"},
    {"scratch s: int[1] kernel f global [1] (x, z)",
     "2:43: kernel 'f': unknown name. got: 'z'. known: tensors x idx y, scratch 's', dimensions N C D"},
    {"kernel f global [M] ()", "2:18: kernel 'f': unknown name in an expression. got: 'M'. known: N C D min max div_up round_up"},
    {"kernel f global [x] ()", "2:18: kernel 'f': unknown name in an expression. got: 'x'. known: N C D min max div_up round_up"},
    {"kernel f global [min] ()", "2:18: kernel 'f': unknown name in an expression. got: 'min'. known: N C D min max div_up round_up"},
    {"kernel f global [min(N)] ()", "2:23: kernel 'f': expected ','. got: ')'"},
    {"kernel f global [(N] ()", "2:20: kernel 'f': expected ')'. got: ']'"},
    {"kernel f global [1] (local bool[4])",
     "2:28: kernel 'f': expected a type, 'float double half bfloat16 char uchar short ushort int uint long "
     "ulong'. got: 'bool'"},
    {"kernel f global [0x10] ()", "2:18: kernel 'f': numbers are decimal integers. got: '0x10'"},
    {"kernel f global [1.5] ()", "2:18: kernel 'f': numbers are decimal integers. got: '1.5'"},
    {"kernel f global [9223372036854775808] ()", "2:18: kernel 'f': a number beyond 64 bits. got: '9223372036854775808'"},
    {"scratch 1: int[1]", "2:9: scratch: expected a name. got: '1'"},
    {"scratch s int[1]", "2:11: scratch 's': expected ':'. got: 'int'"},
    {"scratch s: size_t[1]",
     "2:12: scratch 's': expected a type, 'float double half bfloat16 char uchar short ushort int uint long "
     "ulong'. got: "
     "'size_t'"},
    {"scratch s: int(1)", "2:15: scratch 's': expected '['. got: '('"},
    {"scratch y: int[1]", "2:9: scratch 'y': a tensor of the task has that name. do: give it another one"},
    {"scratch C: int[1]", "2:9: scratch 'C': a dimension of the task has that name. do: give it another one"},
    {"scratch s: int[1] scratch s: int[1]", "2:27: scratch 's': another scratch buffer has that name. do: give it another one"},
    {"kernel h global [1] ()", "2:1: kernel 'h': the file does not define it. do: define a kernel of that name"},
    {"kernel a_name_that_is_longer_than_forty_characters global [1] ()",
     "2:1: kernel 'a_name_that_is_longer_than_forty_charact...': the file does not define it. do: define a "
     "kernel of that name"},
};

INSTANTIATE_TEST_SUITE_P(Statements, WrongBlock, testing::ValuesIn(kStatements));

// At any dimensions, and therefore before there are any.
constexpr Wrong kConstants[] = {
    {"kernel f global [0] ()", "2:18: kernel 'f': global size 1 must be 1 to 1099511627776. got: 0"},
    {"kernel f global [N, 1099511627777] ()", "2:21: kernel 'f': global size 2 must be 1 to 1099511627776. got: 1099511627777"},
    {"kernel f global [2 - 3] ()", "2:18: kernel 'f': global size 1 must be 1 to 1099511627776. got: 2 - 3 = -1"},
    {"kernel f global [N] local [0] ()", "2:28: kernel 'f': local size 1 must be 1 to 1099511627776. got: 0"},
    {"kernel f global [N, 100] local [1, 64] ()",
     "2:21: kernel 'f': global size 2 must be a multiple of the local one. got: 100 and 64. do: "
     "round_up(..., 64)"},
    {"kernel f grid [0] block [1] ()", "2:16: kernel 'f': grid size 1 must be 1 to 1099511627776. got: 0"},
    {"kernel f grid [N] block [0] ()", "2:26: kernel 'f': block size 1 must be 1 to 1099511627776. got: 0"},
    {"kernel f grid [N] block [1] cluster [0] ()", "2:38: kernel 'f': cluster size 1 must be 1 to 1099511627776. got: 0"},
    {"kernel f grid [N] block [1] shared [0] ()", "2:37: kernel 'f': its bytes of shared memory must be 1 to 1099511627776. got: 0"},
    {"kernel f grid [1099511627776] block [2] ()",
     "2:1: kernel 'f': at most 1099511627776 work-items. got: grid size 1 of 1099511627776 blocks of 2"},
    {"kernel f grid [6] block [32] cluster [4] ()",
     "2:1: kernel 'f': grid size 1 must be a multiple of the cluster's. got: 6 and 4. do: round_up(..., 4)"},
    {"kernel f global [1048576, 1048576, 2] ()", "2:1: kernel 'f': at most 1099511627776 work-items. got: 1048576 x 1048576 x 2"},
    {"kernel f global [N / 0] ()", "2:20: kernel 'f': division by zero"},
    {"kernel f global [N % (3 - 3)] ()", "2:20: kernel 'f': division by zero"},
    {"kernel f global [1 + round_up(N, 0)] ()", "2:22: kernel 'f': division by zero"},
    {"kernel f global [div_up(1, 0)] ()", "2:18: kernel 'f': division by zero"},
    {"kernel f global [N + 9223372036854775807 * 2] ()", "2:42: kernel 'f': overflow of 64 bits"},
    {"kernel f global [1] (int(2147483648))", "2:26: kernel 'f': argument 1 does not fit an int. got: 2147483648. do: pass a long"},
    {"kernel f global [1] (x, local int[0])", "2:35: kernel 'f': argument 2: its count of elements must be 1 to 1099511627776. got: 0"},
    {"scratch s: float[8 / 9] kernel f global [1] ()",
     "2:18: scratch 's': its count of elements must be 1 to 1099511627776. got: 8 / 9 = 0"},
};

INSTANTIATE_TEST_SUITE_P(Constants, WrongBlock, testing::ValuesIn(kConstants));

class WrongAtDims : public testing::TestWithParam<Wrong> {};

TEST_P(WrongAtDims, SaysWhereAndAtWhichDims) {
  const std::string file = file_with(GetParam().statements);
  EXPECT_EQ(message_of(file), "no error");
  EXPECT_EQ(message_of(file, Dims{{"N", 100}, {"C", 0}}), GetParam().message);
}

constexpr Wrong kDims[] = {
    {"kernel f global [N, C] ()", "2:21: kernel 'f': global size 2 must be 1 to 1099511627776. got: C = 0 with C=0"},
    {"kernel f global [1]\n local [C - N] ()",
     "3:9: kernel 'f': local size 1 must be 1 to 1099511627776. got: C - N = -100 with N=100 C=0"},
    {"kernel f global [N*N*N*N*N*N*10] ()",
     "2:18: kernel 'f': global size 1 must be 1 to 1099511627776. got: N * N * N * N * N * N * 10 = "
     "10000000000000 with N=100"},
    {"kernel f global [N] local [64] ()",
     "2:18: kernel 'f': global size 1 must be a multiple of the local one. got: N = 100 with N=100 and 64. "
     "do: round_up(..., 64)"},
    {"kernel f global [64 + C] local [N] ()",
     "2:18: kernel 'f': global size 1 must be a multiple of the local one. got: 64 + C = 64 with C=0 and N = "
     "100 with N=100. "
     "do: round_up(..., 100)"},
    {"kernel f global [N, 1099511627776] ()", "2:1: kernel 'f': at most 1099511627776 work-items. got: 100 x 1099511627776 x 1"},
    {"kernel f global [1 + N / C] ()", "2:24: kernel 'f': global size 1: division by zero. got: 1 + N / C with N=100 C=0"},
    {"kernel f global [N] (int(5 % C))", "2:28: kernel 'f': argument 1: division by zero. got: 5 % C with C=0"},
    {"kernel f global [N] (int(div_up(5, C)))", "2:26: kernel 'f': argument 1: division by zero. got: div_up(5, C) with C=0"},
    {"kernel f global [N] (long(N + 9223372036854775807))",
     "2:29: kernel 'f': argument 1: overflow of 64 bits. got: N + 9223372036854775807 with N=100"},
    {"kernel f global [N] (long(C - 9223372036854775807 - N))",
     "2:51: kernel 'f': argument 1: overflow of 64 bits. got: C - 9223372036854775807 - N with N=100 C=0"},
    {"kernel f global [N] (long(N * 9223372036854775807))",
     "2:29: kernel 'f': argument 1: overflow of 64 bits. got: N * 9223372036854775807 with N=100"},
    {"kernel f global [N] (long((C - 9223372036854775807 - 1) / (C - 1)))",
     "2:57: kernel 'f': argument 1: overflow of 64 bits. got: (C - 9223372036854775807 - 1) / (C - 1) with "
     "C=0"},
    {"kernel f global [N] (long(round_up(9223372036854775807, N)))",
     "2:27: kernel 'f': argument 1: overflow of 64 bits. got: round_up(9223372036854775807, N) with N=100"},
    {"kernel f global [N] (x, int(C - 2147483649))",
     "2:29: kernel 'f': argument 2 does not fit an int. got: C - 2147483649 = -2147483649 with C=0. do: pass "
     "a long"},
    {"kernel f global [N] (local float[C])",
     "2:34: kernel 'f': argument 1: its count of elements must be 1 to 1099511627776. got: C = 0 with C=0"},
    {"scratch s: float[C * N]\nkernel f global [1] ()",
     "2:18: scratch 's': its count of elements must be 1 to 1099511627776. got: C * N = 0 with N=100 C=0"},
    {"kernel f global [N] (N, D)", "2:25: kernel 'f': argument 2: the dimension 'D' has no value"},
};

INSTANTIATE_TEST_SUITE_P(Dims, WrongAtDims, testing::ValuesIn(kDims));

TEST(LaunchExpression, IntsMayBeTheirLimits) {
  const auto block = parse_launch_block(file_with("kernel f global [1] (int(2147483647), int(0 - 2147483648))"), a_task());
  const ConcretePlan plan = evaluate(block, {});
  EXPECT_EQ(plan.launches.at(0).arguments.at(0).value, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(plan.launches.at(0).arguments.at(1).value, std::numeric_limits<std::int32_t>::min());
}

struct File {
  const char* source;
  const char* message;
};

// How a file may begin, and what it has to define.
constexpr File kFiles[] = {
    {"", "1:1: the file has no launch block. do: begin it with /* launch ... */"},
    {"// only this", "1:13: the file has no launch block. do: begin it with /* launch ... */"},
    {"\n kernel void f() {}\n/* launch kernel f global [1] () */", "2:2: the file has no launch block. do: begin it with /* launch ... */"},
    {"/* launcher kernel f global [1] () */ kernel void f() {}", "1:39: the file has no launch block. do: begin it with /* launch ... */"},
    {"#pragma once\n/* launch kernel f global [1] () */", "1:1: the file has no launch block. do: begin it with /* launch ... */"},
    {"// a line \\\n/* launch kernel f global [1] () */", "2:36: the file has no launch block. do: begin it with /* launch ... */"},
    {"\n /* launch kernel f global [1] ()", "2:2: the comment is not closed. do: end it with */"},
    {"/* launch kernel f global [1] () */\n/* launch\nkernel g global [1] () */ kernel void f() {}",
     "2:1: the file has a second launch block. do: write everything into the first"},
    {"/* launch kernel f global [1] () */ /* launch one row a work-item */ kernel void f() {}", "no error"},
    {"\xEF\xBB\xBF/*launch kernel f global [1] ()*/ kernel void f() {}", "no error"},
    {"/* (c) someone */ // and\r\n /*\r\nlaunch\r\n# a comment, with kernel [ ;\r\nkernel f global [1] "
     "()*/kernel void f() {}",
     "no error"},
    {"/* launch kernel f global [1] () */ kernel void ff() {} // kernel void f() {}",
     "1:11: kernel 'f': the file does not define it. do: define a kernel of that name"},
    {"/* launch kernel f global [1] () */ /* kernel void f() {} */ constant char* s = \"f\"; char c = 'f';",
     "1:11: kernel 'f': the file does not define it. do: define a kernel of that name"},
    {"/* launch kernel f global [1] () */ // \\\nkernel void f() {}",
     "1:11: kernel 'f': the file does not define it. do: define a kernel of that name"},
    {"/* launch kernel f global [1] () */ constant char* s = \"\\\"/*\"; kernel void f() {} /* */", "no error"},
    {"/* launch kernel f global [1] () */\n#error don't\nkernel void f() {}", "no error"},
    {"/* launch kernel foo global [1] () */ kernel void fo\\\no() {}", "no error"},
    {"/* launch kernel foo global [1] () */ kernel void fo\\\r\no() {}", "no error"},
    {"/* launch kernel row_sum global [1] () */\n#define ROW(n) kernel void row_##n() {}\nROW(sum)", "no error"},
    {"/* launch kernel f global [1] () */\n#  include \"kernels.cl\"", "no error"},
    {"/* launch kernel f global [1] () */\n#define included kernels",
     "1:11: kernel 'f': the file does not define it. do: define a kernel of that name"},
    {"/* launch kernel f global [1] () */ char c = 0; /* kernel void f() {}",
     "1:11: kernel 'f': the file does not define it. do: define a kernel of that name"},
};

TEST(LaunchFile, IsRejectedWithItsPlace) {
  for (const auto& [source, message] : kFiles) EXPECT_EQ(message_of(source), message) << source;
}

TEST(LaunchFile, MayBeOneMebibyte) {
  std::string source = file_with("kernel f global [1] ()");
  source.resize(1 << 20, ' ');
  EXPECT_EQ(message_of(source), "no error");
  EXPECT_EQ(message_of(source + ' '), "1:1: the file is too long. got: 1048577 bytes. do: at most 1048576");
}

std::string repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += fmt::format(fmt::runtime(text), i);
  return all;
}

TEST(LaunchLimits, AreOnLaunchesScratchAndArguments) {
  EXPECT_EQ(message_of(file_with(repeated(32, "kernel f global [1] ()\n"))), "no error");
  EXPECT_EQ(message_of(file_with(repeated(33, "kernel f global [1] ()\n"))), "34:1: kernel 'f': more than 32 launches");
  EXPECT_EQ(message_of(file_with(repeated(64, "scratch s{}: int[1]\n") + "kernel f global [1] (s63)")), "no error");
  EXPECT_EQ(message_of(file_with(repeated(65, "scratch s{}: int[1]\n"))), "66:9: scratch 's64': more than 64 scratch buffers");
  EXPECT_EQ(message_of(file_with("kernel f global [1] (x" + repeated(31, ",\nx") + ")")), "no error");
  EXPECT_EQ(message_of(file_with("kernel f global [1] (x" + repeated(32, ",\nx") + ")")), "34:1: kernel 'f': more than 32 arguments");
}

TEST(LaunchMessage, ListsNoMoreThan16ScratchBuffers) {
  const std::string message = message_of(file_with(repeated(17, "scratch s{}: int[1]\n") + "kernel f global [1] (z)"));
  EXPECT_THAT(message, testing::HasSubstr("'s15' ..., dimensions N C D"));
  EXPECT_THAT(message, testing::Not(testing::HasSubstr("s16")));
}

TEST(LaunchMessage, CutsALongExpression) {
  EXPECT_EQ(message_of(file_with("kernel f global [C + C + C + C + C + C + C + C + C + C + C + C] ()"), Dims{{"C", 0}}),
            "2:18: kernel 'f': global size 1 must be 1 to 1099511627776. got: C + C + C + C + C + C + C + C "
            "+ C + C... = 0 with C=0");
}

TEST(LaunchNames, MayBeUsedBeforeTheirScratch) {
  EXPECT_EQ(message_of(file_with("kernel f global [1] (s) scratch s: int[1]")), "no error");
}

/// A tensor goes before a dimension of its name; a word of the grammar is a name wherever it cannot be the
/// word.
TEST(LaunchNames, MayBeWordsOfTheGrammar) {
  Task task;
  task.model.inputs = {{"local", ElementType::f32, {}}, {"kernel", ElementType::f32, {}}, {"N", ElementType::f32, {}}};
  task.model.outputs = {{"global", ElementType::f32, {}}};
  task.dims = {"N", "min", "scratch"};
  const auto block = parse_launch_block(file_with("scratch launch: int[min] kernel f global [min(min, N)] "
                                                  "(local, kernel, N, global, scratch, min, launch, long(N), local float[N])"),
                                        task);
  const ConcretePlan plan = evaluate(block, {{"N", 5}, {"min", 3}, {"scratch", 9}});
  const ConcreteLaunch& launch = plan.launches.at(0);
  EXPECT_EQ(launch.global[0], 3);
  ASSERT_EQ(launch.arguments.size(), 9);
  for (const std::size_t i : {0, 1, 2, 3}) {
    EXPECT_EQ(launch.arguments[i].kind, Kind::buffer);
    EXPECT_EQ(launch.arguments[i].buffer, i);
  }
  EXPECT_EQ(launch.arguments[4].value, 9);
  EXPECT_EQ(launch.arguments[5].value, 3);
  EXPECT_EQ(launch.arguments[6].buffer, 4);
  EXPECT_EQ(launch.arguments[7].value, 5);
  EXPECT_EQ(launch.arguments[8].bytes, 20);
}

std::string refusal(const std::string& statements, const DeviceLimits& limits) {
  const ConcretePlan plan = evaluate(parse_launch_block(file_with(statements), a_task()), {{"N", 64}, {"C", 3}, {"D", 2}});
  try {
    require_within(plan, limits);
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DeviceLimits, AreWhatOneLaunchMayAskFor) {
  const std::string launches =
      "kernel g global [N] ()\n"
      "kernel f global [N, C, D] local [32, 3, 2] (local float[8], local double[N])";
  EXPECT_EQ(refusal(launches, {}), "no error");
  EXPECT_EQ(refusal(launches, {192, 544, {32, 3, 2}}), "no error");
  EXPECT_EQ(refusal(launches, {191, 544, {}}), "3:1: kernel 'f': a work-group of 192 work-items. the device has 191");
  EXPECT_EQ(refusal(launches, {0, 543, {}}), "3:1: kernel 'f': local memory of 544 bytes. the device has 543");
  EXPECT_EQ(refusal(launches, {0, 0, {31, 3, 2}}), "3:1: kernel 'f': a local size 1 of 32 work-items. the device has 31");
  EXPECT_EQ(refusal(launches, {0, 0, {32, 3, 1}}), "3:1: kernel 'f': a local size 3 of 2 work-items. the device has 1");
  EXPECT_EQ(refusal("kernel g grid [N] block [8] shared [24] ()", {8, 23, {8, 1, 1}}),
            "2:1: kernel 'g': local memory of 24 bytes. the device has 23");
  EXPECT_EQ(refusal("kernel g global [1] (local int[3], local int[3])", {1, 23, {1, 1, 1}}),
            "2:1: kernel 'g': local memory of 24 bytes. the device has 23");
}

}  // namespace
}  // namespace assay::spec

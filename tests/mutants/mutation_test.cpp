// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "choose.h"
#include "find_mutations.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string sample_text() {
  std::stringstream text;
  text << std::ifstream(SAMPLE).rdbuf();
  return text.str();
}

Source parse(const std::string& text) { return Source("sample.cpp", text, {}); }

/// The mutated lines of one kind in `body`, which lies in a function f(const float* x, float* y, int64_t N,
/// int64_t C).
std::vector<std::string> mutated(Kind kind, const std::string& body) {
  const Source source = parse(
      "#include <algorithm>\n#include <cstdint>\nfloat weigh(float a, float b);\n"
      "void f(const float* x, float* y, int64_t N, int64_t C) {\n" +
      body + "\n}\n");
  std::vector<std::string> lines;
  for (const Mutation& m : find_mutations(source))
    if (m.kind == kind) lines.push_back(m.mutated);
  return lines;
}

TEST(FindMutations, Comparison) {
  EXPECT_THAT(mutated(Kind::comparison, "if (N < C) y[0] = 1;"), ElementsAre("if (N <= C) y[0] = 1;"));
  EXPECT_THAT(mutated(Kind::comparison, "if (N >= C) y[0] = 1;"), ElementsAre("if (N > C) y[0] = 1;"));
  EXPECT_THAT(mutated(Kind::comparison, "if (N == C) y[0] = 1;"), ElementsAre("if (N != C) y[0] = 1;"));
}

TEST(FindMutations, BoundOfALoop) {
  EXPECT_THAT(mutated(Kind::bound, "for (int64_t i = 0; i < N * C; i += 4) y[i] = 1;"),
              ElementsAre("for (int64_t i = 1; i < N * C; i += 4) y[i] = 1;", "for (int64_t i = 0; i <= N * C; i += 4) y[i] = 1;",
                          "for (int64_t i = 0; i < (N * C) - 1; i += 4) y[i] = 1;", "for (int64_t i = 0; i < N * C; i += 5) y[i] = 1;"));
  EXPECT_THAT(mutated(Kind::bound, "for (; C > 0; --C) y[C] = 1;"),
              ElementsAre("for (; C >= 0; --C) y[C] = 1;", "for (; C > 1; --C) y[C] = 1;"));
}

TEST(FindMutations, IndexAndVariableOfTheSameType) {
  EXPECT_THAT(mutated(Kind::index, "y[0] = x[N];"), ElementsAre("y[1] = x[N];", "y[0] = x[N + 1];", "y[0] = x[C];"));
  EXPECT_THAT(
      mutated(Kind::index, "for (int64_t i = 0; i < 3; ++i) weigh(x[i * C], 1);"),
      ElementsAre("for (int64_t i = 0; i < 3; ++i) weigh(x[(i * C) + 1], 1);", "for (int64_t i = 0; i < 3; ++i) weigh(x[i * N], 1);"));
}

TEST(FindMutations, Constant) {
  EXPECT_THAT(mutated(Kind::constant, "N = 7;"), ElementsAre("N = 8;"));
  EXPECT_THAT(mutated(Kind::constant, "uint32_t bits = 0x7fu;"), ElementsAre("uint32_t bits = 128u;"));
  EXPECT_THAT(mutated(Kind::constant, "double eps = 1e-5;"), ElementsAre("double eps = (10.0 * 1e-5);"));
  EXPECT_THAT(mutated(Kind::constant, "float zero = 0.0f;"), ElementsAre("float zero = 1.0f;"));
  EXPECT_THAT(mutated(Kind::constant, "float half = 0.5f;"), ElementsAre("float half = (1.01f * 0.5f);", "float half = (2.0f * 0.5f);"));
  EXPECT_THAT(mutated(Kind::constant, "bool kept = true;"), ElementsAre("bool kept = false;"));
  EXPECT_THAT(mutated(Kind::constant, "float larger[12];"), ElementsAre());
}

TEST(FindMutations, DroppedStatement) {
  EXPECT_THAT(mutated(Kind::dropped, "N = 1;\nC += 1;\nstd::fill(y, y + N, 1.0f);\nreturn;"), ElementsAre(";", ";", ";"));
  EXPECT_THAT(mutated(Kind::dropped, "if (N > C) N = C;"), ElementsAre("if (N > C) ;"));
}

TEST(FindMutations, Operation) {
  EXPECT_THAT(mutated(Kind::operation, "N = N * C;"), ElementsAre("N = N + C;"));
  EXPECT_THAT(mutated(Kind::operation, "y[0] += 1;"), ElementsAre("y[0] -= 1;"));
  EXPECT_THAT(mutated(Kind::operation, "N = std::min(N, C);"), ElementsAre("N = std::max(N, C);"));
  EXPECT_THAT(mutated(Kind::operation, "N = std::max<int64_t>(N, 0);"), ElementsAre("N = std::min<int64_t>(N, 0);"));
  EXPECT_THAT(mutated(Kind::operation, "N = -C;"), ElementsAre("N = C;"));
  EXPECT_THAT(mutated(Kind::operation, "for (; N > 0; --N) C = N;"), ElementsAre());
  EXPECT_THAT(mutated(Kind::operation, "const float* next = x + N;"), ElementsAre());
}

TEST(FindMutations, Type) {
  EXPECT_THAT(mutated(Kind::type, "double sum = 0;"), ElementsAre("_Float16 sum = 0;"));
  EXPECT_THAT(mutated(Kind::type, "const float high[2] = {};"), ElementsAre("const _Float16 high[2] = {};"));
  EXPECT_THAT(mutated(Kind::type, "int64_t size;"), ElementsAre("int8_t size;"));
  EXPECT_THAT(mutated(Kind::type, "y[0] = x[0];"), ElementsAre("y[0] = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, "
                                                               "static_cast<float>(x[0])) & 0xffff0000u);"));
  EXPECT_THAT(mutated(Kind::type, "const float* row = x;"), ElementsAre());
}

TEST(FindMutations, Arguments) {
  EXPECT_THAT(mutated(Kind::arguments, "weigh(x[0], x[1]);"), ElementsAre("weigh(x[1], x[0]);"));
  EXPECT_THAT(mutated(Kind::arguments, "y[0] = N < C ? x[0] : x[1];"), ElementsAre("y[0] = N < C ? x[1] : x[0];"));
  EXPECT_THAT(mutated(Kind::arguments, "std::min(N, C);"), ElementsAre());
}

TEST(FindMutations, LeavesAloneWhatDependsOnTheMachine) {
  for (const Mutation& m : find_mutations(parse(sample_text()))) EXPECT_THAT(m.original, Not(HasSubstr("int64_t lanes = ")));
}

TEST(FindMutations, NumbersWhatReadsTheSame) {
  const std::vector<Mutation> mutations = find_mutations(parse(sample_text()));
  std::vector<std::string> swapped;
  for (const Mutation& m : mutations)
    if (m.kind == Kind::arguments) swapped.push_back(m.mutated);
  EXPECT_THAT(swapped, ElementsAre("y[n] = weigh(eps, sum);", "y[n] = weigh(eps, sum); #2"));
}

TEST(FindMutations, EachChangesTheTextDifferently) {
  const Source source = parse(sample_text());
  const std::vector<Mutation> mutations = find_mutations(source);
  std::set<std::string> texts = {source.text()};
  for (const Mutation& m : mutations) texts.insert(apply(source, m));
  EXPECT_EQ(texts.size(), mutations.size() + 1);
  EXPECT_GT(mutations.size(), 40u);
}

TEST(FindMutations, NamesTheFunction) {
  std::set<std::string> functions;
  for (const Mutation& m : find_mutations(parse(sample_text()))) functions.insert(m.function);
  EXPECT_THAT(functions, ElementsAre("sample", "weigh"));
}

std::vector<std::string> described(const std::vector<Mutation>& mutations) {
  std::vector<std::string> lines;
  for (const Mutation& m : mutations) lines.push_back(name(m.kind) + m.original + m.mutated);
  return lines;
}

TEST(Choose, SameChoiceEachTimeAndTheSmallerOneIsItsBeginning) {
  const std::vector<Mutation> all = find_mutations(parse(sample_text()));
  const std::vector<std::string> twenty = described(choose(all, 20, "sample.cpp"));
  EXPECT_EQ(described(choose(find_mutations(parse(sample_text())), 20, "sample.cpp")), twenty);
  EXPECT_EQ(described(choose(all, 5, "sample.cpp")), std::vector<std::string>(twenty.begin(), twenty.begin() + 5));
  EXPECT_NE(described(choose(all, 20, "other.cpp")), twenty);
  EXPECT_EQ(choose(all, 999, "sample.cpp").size(), all.size());
}

TEST(Choose, SpreadsOverKinds) {
  std::set<Kind> kinds;
  for (const Mutation& m : choose(find_mutations(parse(sample_text())), std::size(kind_names), "sample.cpp")) kinds.insert(m.kind);
  EXPECT_EQ(kinds.size(), std::size(kind_names));
}

TEST(Source, SaysWhatLibclangCannotRead) {
  try {
    parse("#include \"kernel.h\"\n");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("sample.cpp"), HasSubstr("kernel.h"), HasSubstr("do: ")));
  }
}

}  // namespace
}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Runs whose answers are judged: what is said when, what is kept, and how they go on.
#include "assay/generate/strategy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "assay/generate/replay.h"
#include "assay/generate/run.h"
#include "read_file.h"
#include "temporary_folder.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;
using record::Stage;
using testing::ElementsAre, testing::HasSubstr, testing::Not;

std::vector<nlohmann::json> json_lines(const fs::path& file) {
  std::vector<nlohmann::json> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

std::string block(const std::string& body) { return fmt::format("```cpp\nvoid relu() {{ {} }}\n```\n", body); }

/// What a process does not survive.
struct Killed {};

/// Answers each turn with the text of its place, and is killed in place of what comes after `lives` requests.
class ScriptedModel : public Model {
 public:
  explicit ScriptedModel(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  std::vector<Request> seen;
  int lives = 1000;

  void ask(const Next& next, const Done& done, const Round& round) override {
    do {
      while (const std::optional<Request> request = next()) {
        if (lives-- == 0) throw Killed();
        seen.push_back(*request);
        const std::size_t at = request->id.rfind(".turn");
        const std::size_t turn = at == std::string::npos ? 1 : std::stoul(request->id.substr(at + 5));
        Reply reply;
        reply.id = request->id;
        reply.text = texts_.at(turn - 1);
        reply.finish = reply.text.empty() ? "length" : "stop";
        reply.usage.prompt = 100;
        reply.usage.completion = 20;
        if (!done(std::move(reply))) return;
        round();
      }
    } while (round());
  }

 private:
  std::vector<std::string> texts_;
};

/// Knows what each body is worth, and tells it a few calls later, the last first.
class Table : public Judge {
 public:
  std::map<std::string, Ended> known;  ///< by what the source holds
  std::vector<Sample> seen;

  void forget() { waiting_.clear(); }
  void submit(Sample sample) override {
    seen.push_back(sample);
    waiting_.push_back(std::move(sample));
  }
  std::vector<Ended> ended() override {
    std::vector<Ended> out;
    if (++calls_ % 3 != 0) return out;
    for (; !waiting_.empty(); waiting_.pop_back()) {
      for (const auto& [body, ended] : known)
        if (text_of(waiting_.back().source).find(body) != std::string::npos)
          out.push_back({waiting_.back().id, ended.judgement, ended.failure});
    }
    return out;
  }

 private:
  static std::string text_of(const spec::SourceText& source) {
    std::string text;
    for (const auto& [name, code] : source.files()) text += code;
    return text;
  }

  std::vector<Sample> waiting_;
  int calls_ = 0;
};

Judge::Ended wrong(const std::string& verdict) { return {"", {verdict, false, {}, verdict + ": it is wrong.\n"}, ""}; }
Judge::Ended right(std::optional<double> speedup = {}) { return {"", {"PASS", true, speedup, "PASS: it is right.\n"}, ""}; }

class IterativeTest : public testing::Test {
 protected:
  IterativeTest() {
    config_.run = "m";
    config_.sampling.model = "small";
    config_.endpoint.base_url = "http://127.0.0.1:1/v1";
    config_.strategy = {"iterative", 4, Stage::test};
    judge_.known = {{"broken", wrong("COMPILE_ERROR")},
                    {"wrong", wrong("WRONG_RESULT")},
                    {"slow", right(1.0)},
                    {"fast", right(2.0)},
                    {"untimed", right()}};
  }

  /// As a process of its own.
  Totals ask(Model& model, int limit = 0) {
    judge_.forget();
    generate::Run run(config_, asks_, folder(), "1.2.3");
    const Totals totals = run.ask(model, limit, {[](const Totals&) {}, [&](const std::string& line) { said_.push_back(line); }}, &judge_);
    trajectories_ = run.trajectories();
    return totals;
  }

  fs::path folder() const { return temporary_ / "m"; }
  std::string candidate() const { return read_file(folder() / "relu/000.cpp"); }

  TemporaryFolder temporary_;
  RunConfig config_;
  Table judge_;
  std::vector<Ask> asks_{{"relu", {".cpp", "relu"}, "Write relu."}};
  std::vector<std::string> said_;
  std::vector<Trajectory> trajectories_;
};

TEST_F(IterativeTest, IsOneConversationUntilAnAnswerIsRight) {
  ScriptedModel model({block("broken"), block("wrong"), block("slow"), block("fast")});
  const Totals totals = ask(model);
  EXPECT_EQ(totals.answered, 1);
  EXPECT_EQ(totals.candidates, 1);
  EXPECT_EQ(candidate(), "void relu() { slow }\n");
  ASSERT_EQ(model.seen.size(), 3);
  std::vector<std::string> roles;
  for (const Message& message : model.seen[2].messages) roles.push_back(message.role);
  EXPECT_THAT(roles, ElementsAre("user", "assistant", "user", "assistant", "user"));
  EXPECT_EQ(model.seen[2].messages[1].content, block("broken"));
  EXPECT_EQ(model.seen[2].messages[2].content,
            "Your answer was judged:\n\nCOMPILE_ERROR: it is wrong.\n\nFind what is wrong, and correct it. Answer with one code block that "
            "contains the whole file again.");
  EXPECT_EQ(model.seen[2].messages[3].content, block("wrong"));
  EXPECT_THAT(model.seen[2].messages[4].content, HasSubstr("WRONG_RESULT: it is wrong."));
  EXPECT_EQ(judge_.seen[1].last, Stage::test);
  EXPECT_EQ(judge_.seen[1].id, "relu.cpp.000.turn2");
  ASSERT_EQ(trajectories_.size(), 1);
  EXPECT_EQ(trajectories_[0].size(), 3);
  EXPECT_EQ(trajectories_[0][2].tokens, 120);
  EXPECT_TRUE(trajectories_[0][2].right);
}

TEST_F(IterativeTest, EndsWithItsLastTurnAndKeepsTheLastOfItsFailures) {
  ScriptedModel model({block("wrong 1"), block("wrong 2"), block("broken 3"), block("wrong 4"), block("slow")});
  EXPECT_EQ(ask(model).answered, 1);
  EXPECT_EQ(model.seen.size(), 4);
  EXPECT_EQ(candidate(), "void relu() { wrong 4 }\n");
}

TEST_F(IterativeTest, OfBenchGoesOnForFasterCodeAndKeepsTheFastest) {
  config_.strategy.feedback = Stage::bench;
  ScriptedModel model({block("slow"), block("fast"), block("slow 3"), block("broken")});
  EXPECT_EQ(ask(model).answered, 1);
  ASSERT_EQ(model.seen.size(), 4);
  EXPECT_EQ(candidate(), "void relu() { fast }\n");
  EXPECT_THAT(model.seen[1].messages.back().content, HasSubstr("\nMake it faster, and keep it right."));
  EXPECT_THAT(model.seen[1].messages.back().content, Not(HasSubstr("best answer")));
  EXPECT_THAT(model.seen[3].messages.back().content, HasSubstr("Your best answer so far is number 2, with a speedup of at least 2.\n"));
}

TEST_F(IterativeTest, TellsThatThereWasNoCandidate) {
  ScriptedModel model({"I cannot.", "", block("slow")});
  EXPECT_EQ(ask(model).candidates, 1);
  EXPECT_EQ(candidate(), "void relu() { slow }\n");
  EXPECT_EQ(judge_.seen.size(), 1);
  EXPECT_THAT(model.seen[1].messages.back().content, HasSubstr("There is no candidate in it: there is no code in it.\n"));
  EXPECT_EQ(model.seen[2].messages[3].content, "(no answer)");
  EXPECT_THAT(model.seen[2].messages.back().content, HasSubstr("It was cut off at its most tokens."));
  ScriptedModel never({"no", "no", "no", "no"});
  config_.run = "n";
  EXPECT_EQ(generate::Run(config_, asks_, temporary_ / "n", "1").ask(never, 0, {}, &judge_).candidates, 0);
}

std::string two_files(const std::string& body) {
  return "```cpp\n// file: a.h\nint a;\n```\n```cpp\n// file: relu.cpp\n#include \"a.h\"\nvoid relu() { " + body + " }\n```\n";
}

TEST_F(IterativeTest, JudgesCandidatesOfSeveralFiles) {
  ScriptedModel model({two_files("wrong"), two_files("slow")});
  EXPECT_EQ(ask(model).candidates, 1);
  ASSERT_EQ(judge_.seen.size(), 2);
  EXPECT_THAT(judge_.seen[1].source.files(), testing::ElementsAre(testing::Pair("a.h", "int a;\n"),
                                                                  testing::Pair("relu.cpp", "#include \"a.h\"\nvoid relu() { slow }\n")));
  EXPECT_EQ(read_file(folder() / "relu/000/a.h"), "int a;\n");
  ScriptedModel again({});
  EXPECT_EQ(ask(again).candidates, 1);  // its verdicts are known
  EXPECT_EQ(judge_.seen.size(), 2);
}

TEST_F(IterativeTest, KilledAnywhereItAsksNothingTwiceAndSaysTheSame) {
  const std::vector<std::string> texts = {block("broken"), "no code", block("wrong"), block("slow")};
  config_.samples = 3;
  ScriptedModel whole(texts);
  ask(whole);
  const auto once = json_lines(folder() / "requests.jsonl");
  EXPECT_EQ(once.size(), 12);
  const fs::path first = temporary_ / "first";
  fs::rename(folder(), first);
  ScriptedModel dying(texts);
  for (int deaths = 0;; ++deaths) {
    dying.lives = 1;
    try {
      EXPECT_EQ(ask(dying).answered, 3);
      EXPECT_EQ(deaths, 11);
      break;
    } catch (const Killed&) {
      ASSERT_LT(deaths, 20);
    }
  }
  std::map<std::string, std::string> asked, again;
  for (const auto& line : once) asked[line["id"]] = line["messages"].dump();
  for (const auto& line : json_lines(folder() / "requests.jsonl")) again[line["id"]] = line["messages"].dump();
  EXPECT_EQ(again, asked);
  EXPECT_EQ(dying.seen.size(), 12);
  for (const char* file : {"relu/000.cpp", "relu/001.cpp", "relu/002.cpp"}) EXPECT_EQ(read_file(folder() / file), read_file(first / file));
}

/// Between the line of an answer and that of its verdict, and within both.
TEST_F(IterativeTest, KilledBeforeAVerdictItJudgesAgain) {
  ScriptedModel model({block("broken"), "no code", block("wrong"), block("slow")});
  ask(model);
  const std::string answers = read_file(folder() / "answers.jsonl"), verdicts = read_file(folder() / "verdicts.jsonl"), file = candidate();
  const auto first_lines = [](const std::string& text, std::size_t count) {
    std::size_t end = 0;
    for (; count > 0; --count) end = text.find('\n', end) + 1;
    return end;
  };
  for (std::size_t answered = 1; answered <= 4; ++answered)
    for (std::size_t more : {0, 1, 40}) {
      std::ofstream(folder() / "answers.jsonl", std::ios::binary) << answers.substr(0, first_lines(answers, answered));
      std::ofstream(folder() / "verdicts.jsonl", std::ios::binary) << verdicts.substr(0, first_lines(verdicts, answered - 1) + more);
      fs::remove_all(folder() / "relu");
      model.seen.clear();
      EXPECT_EQ(ask(model).answered, 1);
      EXPECT_EQ(model.seen.size(), 4 - answered);
      EXPECT_EQ(read_file(folder() / "verdicts.jsonl"), verdicts);
      EXPECT_EQ(candidate(), file);
      EXPECT_EQ(trajectories_.at(0).size(), 4);
    }
}

TEST_F(IterativeTest, AVerdictOnAnotherSourceIsNone) {
  ScriptedModel model({block("slow")});
  ask(model);
  std::string verdicts = read_file(folder() / "verdicts.jsonl");
  const std::size_t at = verdicts.find("\"source\":\"") + 10;
  verdicts[at] = verdicts[at] == '0' ? '1' : '0';
  std::ofstream(folder() / "verdicts.jsonl", std::ios::binary) << verdicts;
  judge_.seen.clear();
  EXPECT_EQ(ask(model).answered, 1);
  EXPECT_EQ(judge_.seen.size(), 1);
  EXPECT_EQ(model.seen.size(), 1);
}

TEST_F(IterativeTest, AFailureOfOursIsToldToNobodyAndTriedAgain) {
  judge_.known["wrong"] = {"", {}, "HARNESS_ERROR: the disk is full\x1b[2J"};
  ScriptedModel model({block("broken"), block("wrong"), block("slow")});
  const Totals totals = ask(model);
  EXPECT_EQ(totals.answered, 0);
  EXPECT_EQ(totals.unjudged, 1);
  EXPECT_THAT(said_, ElementsAre("relu.cpp.000.turn2: could not be judged: HARNESS_ERROR: the disk is full\\x1b[2J"));
  EXPECT_EQ(model.seen.size(), 2);
  EXPECT_THAT(read_file(folder() / "verdicts.jsonl"), Not(HasSubstr("HARNESS_ERROR")));
  judge_.known["wrong"] = wrong("WRONG_RESULT");
  EXPECT_EQ(ask(model).answered, 1);
  EXPECT_EQ(model.seen.size(), 3);
  EXPECT_THAT(read_file(folder() / "requests.jsonl"), Not(HasSubstr("disk is full")));
}

TEST_F(IterativeTest, AJudgeThatJudgesNothingEndsTheAsking) {
  judge_.known = {{"wrong", {"", {}, "HARNESS_ERROR: no compiler"}}};
  config_.samples = 500;
  ScriptedModel model({block("wrong")});
  const Totals totals = ask(model);
  EXPECT_GE(totals.unjudged, 3);
  EXPECT_LT(model.seen.size(), 10);
}

TEST_F(IterativeTest, IsReplayedWithoutServerAndJudge) {
  config_.samples = 3;
  config_.strategy.feedback = Stage::bench;
  ScriptedModel model({block("slow"), block("fast"), "no code", block("untimed")});
  ask(model);
  Replay replay(folder());
  ReplayedJudge judge(folder());
  generate::Run again(config_, asks_, temporary_ / "again", "1");
  EXPECT_EQ(again.ask(replay, 0, {}, &judge).candidates, 3);
  for (const char* file : {"relu/000.cpp", "relu/002.cpp"}) EXPECT_EQ(read_file(temporary_ / "again" / file), "void relu() { fast }\n");
  EXPECT_EQ(json_lines(temporary_ / "again/verdicts.jsonl").size(), 12);
  std::ofstream(folder() / "verdicts.jsonl") << "";
  ReplayedJudge empty(folder());
  generate::Run other(config_, asks_, temporary_ / "other", "1");
  EXPECT_GE(other.ask(replay, 0, {}, &empty).unjudged, 3);
}

TEST_F(IterativeTest, WaitsForVerdictsAtALimitOfRequests) {
  config_.samples = 4;
  ScriptedModel model({block("broken"), block("slow")});
  EXPECT_LT(ask(model, 4).answered, 4);
  EXPECT_EQ(json_lines(folder() / "verdicts.jsonl").size(), 4);
  EXPECT_EQ(ask(model).answered, 4);
  EXPECT_EQ(model.seen.size(), 8);
}

TEST_F(IterativeTest, IsToldInTheRunsLine) {
  ScriptedModel model({block("slow")});
  ask(model);
  EXPECT_THAT(describe_run(folder() / "run.yaml"), HasSubstr("iterative, 4 turns, feedback of test"));
  EXPECT_EQ(plan_of(config_, asks_).requests, 4);
}

class AgentsTest : public IterativeTest {
 protected:
  AgentsTest() { config_.strategy = {"agents", 5, Stage::bench}; }

  static std::string repair(const std::string& cause) {
    return fmt::format(R"({{"cause": "{}", "changes": ["use min", "mind the tail"]}})", cause);
  }
  static std::string method(const std::string& name) {
    return fmt::format("```json\n{{\"bottleneck\": \"memory\", \"method\": \"{}\", \"plan\": \"in two steps\"}}\n```\n", name);
  }
};

TEST_F(AgentsTest, EachRoleIsAskedInItsTurn) {
  ScriptedModel model({block("wrong"), repair("a sign"), block("slow"), method("tiles"), block("fast"), method("Unrolling"),
                       block("broken"), repair("a semicolon"), block("slow 5"), "never asked"});
  EXPECT_EQ(ask(model).candidates, 1);
  EXPECT_EQ(candidate(), "void relu() { fast }\n");
  ASSERT_EQ(model.seen.size(), 9);
  for (const Request& request : model.seen) EXPECT_EQ(request.messages.size(), 1);
  const auto said = [&](std::size_t turn) { return model.seen.at(turn - 1).messages.back().content; };
  EXPECT_EQ(said(1), "Write relu.");
  EXPECT_THAT(said(2), HasSubstr("You find faults in compute kernels."));
  EXPECT_THAT(
      said(2),
      HasSubstr("# The task\n\n```\nWrite relu.\n```\n\n# The kernel so far\n\n```\nvoid relu() { wrong }\n```\n\n# What was found\n\n"
                "WRONG_RESULT: it is wrong.\n\n# What was tried\n\n1. the first answer -> WRONG_RESULT\n"));
  EXPECT_THAT(said(2), HasSubstr(R"("required":["cause","changes"])"));
  EXPECT_THAT(said(3), testing::StartsWith("Write relu.\n"));
  EXPECT_THAT(said(3), HasSubstr("The cause: a sign\n- use min\n- mind the tail\n"));
  EXPECT_THAT(said(4), HasSubstr("You make compute kernels faster."));
  EXPECT_THAT(said(4), HasSubstr("2. a repair, for: a sign -> PASS, speedup at least 1\n"));
  EXPECT_THAT(said(5), HasSubstr("What holds it up: memory\nThe method: tiles\nThe plan: in two steps\n"));
  EXPECT_THAT(said(6), HasSubstr("void relu() { fast }"));
  EXPECT_THAT(said(6), HasSubstr("3. faster by: tiles -> PASS, speedup at least 2\n"));
  EXPECT_THAT(said(8), HasSubstr("void relu() { broken }"));
  EXPECT_EQ(judge_.seen.size(), 5);
  EXPECT_EQ(json_lines(folder() / "verdicts.jsonl").size(), 5);
  EXPECT_EQ(trajectories_.at(0).at(1).tokens, 240);  // the advice counts, too
}

TEST_F(AgentsTest, SendsAdviceBackOnce) {
  ScriptedModel model({block("slow"), "Unroll it.", method("tiles"), block("slow 2"), method("TILES"), "I insist.", block("fast"),
                       method("a"), block("slow 4"), method("b"), block("slow 5")});
  EXPECT_EQ(ask(model).candidates, 1);
  ASSERT_EQ(model.seen.size(), 11);
  ASSERT_EQ(model.seen[2].messages.size(), 3);
  EXPECT_EQ(model.seen[2].messages[0].content, model.seen[1].messages[0].content);
  EXPECT_EQ(model.seen[2].messages[1].content, "Unroll it.");
  EXPECT_EQ(model.seen[2].messages[2].content,
            "That cannot be used:\n/: there is no JSON object in it\nAnswer again, with the JSON object alone.");
  EXPECT_THAT(model.seen[5].messages[2].content, HasSubstr("/method: was tried before"));
  EXPECT_THAT(model.seen[6].messages[0].content, HasSubstr("# What to do\n\nMake the kernel faster, and keep it right.\n\nAnswer with"));
  EXPECT_EQ(candidate(), "void relu() { fast }\n");
}

TEST_F(AgentsTest, GivesUpARepairWhereAnEarlierKernelWasRight) {
  ScriptedModel model(
      {block("slow"), method("a"), block("wrong"), repair("b"), block("broken"), method("c"), "no code", block("wrong again")});
  EXPECT_EQ(ask(model).candidates, 1);
  ASSERT_EQ(model.seen.size(), 8);
  EXPECT_THAT(model.seen[5].messages[0].content, HasSubstr("You make compute kernels faster."));
  EXPECT_THAT(model.seen[5].messages[0].content, HasSubstr("void relu() { slow }"));
  EXPECT_THAT(model.seen[7].messages[0].content, HasSubstr("Your last answer could not be judged. There is no candidate in it"));
  EXPECT_EQ(candidate(), "void relu() { slow }\n");
}

TEST_F(AgentsTest, OfTestEndsWithTheFirstRightKernel) {
  config_.strategy.feedback = Stage::test;
  ScriptedModel model({block("wrong"), repair("a"), block("slow")});
  EXPECT_EQ(ask(model).answered, 1);
  EXPECT_EQ(model.seen.size(), 3);
  EXPECT_EQ(plan_of(config_, asks_).requests, 13);
}

TEST_F(AgentsTest, KilledAnywhereItAsksNothingTwice) {
  const std::vector<std::string> texts = {block("wrong"), "no advice", repair("a"),     block("slow"), method("b"),    block("fast"),
                                          method("b"),    method("c"), block("broken"), repair("d"),   block("slow 5")};
  ScriptedModel whole(texts);
  ask(whole);
  const auto messages = [](const ScriptedModel& model) {
    std::vector<std::string> all;
    for (const Request& request : model.seen)
      for (const Message& message : request.messages) all.push_back(request.id + message.content);
    return all;
  };
  EXPECT_EQ(whole.seen.size(), texts.size());
  fs::rename(folder(), temporary_ / "whole");
  ScriptedModel dying(texts);
  for (int deaths = 0;; ++deaths) {
    dying.lives = 1;
    try {
      EXPECT_EQ(ask(dying).answered, 1);
      break;
    } catch (const Killed&) {
      ASSERT_LT(deaths, 20);
    }
  }
  EXPECT_EQ(messages(dying), messages(whole));
  EXPECT_EQ(candidate(), read_file(temporary_ / "whole/relu/000.cpp"));
  Replay replay(temporary_ / "whole");
  ReplayedJudge judge(temporary_ / "whole");
  generate::Run again(config_, asks_, temporary_ / "again", "1");
  EXPECT_EQ(again.ask(replay, 0, {}, &judge).candidates, 1);
}

/// Whatever roles answer, the course ends, within its turns, and in little time.
TEST_F(AgentsTest, EndsWhateverIsAnswered) {
  config_.strategy.turns = 30;
  for (const std::string& text :
       {std::string("no"), std::string(), block("wrong"), block("slow"), method("same"), std::string("{}"), repair("x")}) {
    ScriptedModel model(std::vector<std::string>(100, text));
    config_.run = "r";
    fs::remove_all(folder());
    EXPECT_EQ(ask(model).answered, 1) << text;
    EXPECT_LE(model.seen.size(), 88);
    EXPECT_GE(model.seen.size(), 30);
  }
}

TEST(BestTurn, IsRightThenFastThenLate) {
  const auto turn = [](const char* verdict, bool right, std::optional<double> speedup) {
    return Turn{"", {}, 0, Judgement{verdict, right, speedup, ""}};
  };
  EXPECT_EQ(best_turn({Turn{"a"}, Turn{"b"}}), 1);
  EXPECT_EQ(best_turn({turn("CRASH", false, {}), Turn{"advice"}}), 0);
  EXPECT_EQ(best_turn({turn("CRASH", false, {}), turn(kNoCandidate, false, {})}), 0);
  EXPECT_EQ(best_turn({turn("PASS", true, {}), turn("CRASH", false, {}), turn("INCONCLUSIVE", true, {})}), 2);
  EXPECT_EQ(best_turn({turn("PASS", true, 0.5), turn("INCONCLUSIVE", true, {}), turn("PASS", true, 0.4)}), 0);
}

}  // namespace
}  // namespace assay::generate

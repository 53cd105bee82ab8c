// SPDX-License-Identifier: Apache-2.0
// What a run keeps, and what it asks when it is begun again.
#include "assay/generate/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "assay/generate/replay.h"
#include "read_file.h"
#include "temporary_folder.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::size_t lines(const fs::path& file) {
  const std::string text = read_file(file);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// Answers in this process, and remembers what it was asked.
class Scripted : public Model {
 public:
  std::function<Reply(const Request&)> answer = [](const Request& request) {
    Reply reply;
    reply.text = fmt::format("```cpp\nvoid {}() {{}}\n```\n", request.id.substr(0, request.id.find('.')));
    reply.finish = "stop";
    reply.model = "scripted-1";
    reply.usage = {1000, 400, 200, 50, std::nullopt};
    reply.attempts = 1;
    return reply;
  };
  std::vector<Request> seen;

  void ask(const Next& next, const Done& done, const Round& round) override {
    while (const std::optional<Request> request = next()) {
      seen.push_back(*request);
      Reply reply = answer(*request);
      reply.id = request->id;
      if (!done(std::move(reply))) return;
      round();
    }
  }
};

class RunTest : public testing::Test {
 protected:
  RunTest() {
    config_.run = "m";
    config_.sampling.model = "small";
    config_.endpoint.base_url = "http://127.0.0.1:1/v1";
    config_.samples = 2;
  }

  Totals ask(Model& model, int limit = 0) {
    generate::Run run(config_, asks_, folder(), "1.2.3");
    return run.ask(model, limit, {[](const Totals&) {}, [&](const std::string& line) { said_.push_back(line); }});
  }

  fs::path folder() const { return temporary_ / "m"; }

  TemporaryFolder temporary_;
  RunConfig config_;
  std::vector<Ask> asks_{{"relu", {".cpp", "relu"}, "Write relu."}, {"gelu", {".cpp", "gelu"}, "Write gelu."}};
  std::vector<std::string> said_;
};

TEST_F(RunTest, KeepsWhatWasAskedAndAnswered) {
  config_.prices = {2.0, 0.5, 10.0};
  config_.seed = 7;
  config_.system = "Be brief.";
  Scripted model;
  const Totals totals = ask(model);
  EXPECT_EQ(totals.answered, 4);
  EXPECT_EQ(totals.candidates, 4);
  EXPECT_DOUBLE_EQ(*totals.usage.cost, 4 * (600 * 2.0 + 400 * 0.5 + 200 * 10.0) / 1e6);
  EXPECT_EQ(read_file(folder() / "gelu/001.cpp"), "void gelu() {}\n");
  EXPECT_EQ(lines(folder() / "requests.jsonl"), 4);
  EXPECT_EQ(lines(folder() / "answers.jsonl"), 4);
  EXPECT_THAT(read_file(folder() / "requests.jsonl"), HasSubstr(R"({"content":"Be brief.","role":"system"})"));
  EXPECT_THAT(read_file(folder() / "answers.jsonl"),
              HasSubstr(R"("files":[{"name":"","why":"the last block that defines relu, in line 2"}])"));
  for (const char* said :
       {"model: small", "answered: 4", "candidates: 4", "prompt_tokens: 4000", "cost: 0.013600", "assay: \"1.2.3\"", "seed: 7"})
    EXPECT_THAT(read_file(folder() / "run.yaml"), HasSubstr(said));
  EXPECT_EQ(describe_run(folder() / "run.yaml").substr(0, 14), "small, prompts");
  std::vector<std::int64_t> seeds;
  for (const Request& request : model.seen) seeds.push_back(request.seed.value_or(-1));
  EXPECT_THAT(seeds, testing::ElementsAre(7, 7, 8, 8));
  EXPECT_EQ(model.seen.at(0).messages.size(), 2);
}

TEST_F(RunTest, AsksForWhatIsMissingAlone) {
  Scripted model;
  EXPECT_EQ(ask(model, 3).answered, 3);
  EXPECT_EQ(model.seen.size(), 3);
  EXPECT_EQ(ask(model).answered, 4);
  EXPECT_EQ(model.seen.size(), 4);
  config_.samples = 3;
  EXPECT_EQ(ask(model).answered, 6);
  EXPECT_EQ(model.seen.size(), 6);
  EXPECT_EQ(ask(model).answered, 6);
  EXPECT_EQ(model.seen.size(), 6);
  EXPECT_EQ(lines(folder() / "requests.jsonl"), 6);
}

TEST_F(RunTest, AsksAgainWhatFailed) {
  Scripted broken, model;
  broken.answer = [](const Request& request) {
    Reply reply;
    if (request.id == "gelu.cpp.001") reply.error = "status 500";
    else reply.text = "no code here";
    return reply;
  };
  const Totals totals = ask(broken);
  EXPECT_EQ(totals.failed, 1);
  EXPECT_EQ(totals.candidates, 0);
  EXPECT_THAT(said_, testing::Contains("gelu.cpp.001: status 500"));
  EXPECT_THAT(said_, testing::Contains("relu.cpp.000: no candidate: there is no code in it"));
  EXPECT_EQ(ask(model).answered, 4);
  ASSERT_EQ(model.seen.size(), 1);
  EXPECT_EQ(model.seen.front().id, "gelu.cpp.001");
}

TEST_F(RunTest, LosesALineThatWasCutOff) {
  Scripted model;
  ask(model);
  const std::string answers = read_file(folder() / "answers.jsonl");
  const std::size_t last = answers.rfind('\n', answers.size() - 2);
  for (const std::size_t size : {answers.size() - 1, last + 2, last + 1}) {
    std::ofstream(folder() / "answers.jsonl", std::ios::binary) << answers.substr(0, size);
    model.seen.clear();
    EXPECT_EQ(ask(model).answered, 4);
    ASSERT_EQ(model.seen.size(), 1) << size;
    EXPECT_EQ(lines(folder() / "answers.jsonl"), 4);
  }
}

TEST_F(RunTest, NamesALineThatIsBrokenInTheMiddle) {
  Scripted model;
  ask(model);
  const std::string answers = read_file(folder() / "answers.jsonl");
  std::ofstream(folder() / "answers.jsonl", std::ios::binary) << "{\"id\": \n" << answers;
  try {
    ask(model);
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("answers.jsonl:1: is no JSON object"));
  }
}

/// A process that dies between an answer and its file.
TEST_F(RunTest, WritesCandidatesAgain) {
  Scripted model;
  ask(model);
  fs::remove_all(folder() / "relu");
  model.seen.clear();
  ask(model);
  EXPECT_TRUE(model.seen.empty());
  EXPECT_EQ(read_file(folder() / "relu/000.cpp"), "void relu() {}\n");
}

TEST_F(RunTest, IsNotMixedWithAnother) {
  Scripted model;
  ask(model);
  config_.sampling.temperature = 1;
  EXPECT_THROW(ask(model), std::runtime_error);
  config_.sampling.temperature.reset();
  asks_[0].prompt = "Write relu, please.";
  EXPECT_THROW(ask(model), std::runtime_error);
}

TEST_F(RunTest, LeavesCandidatesOfOthersAlone) {
  fs::create_directories(folder() / "relu");
  std::ofstream(folder() / "relu/000.cpp") << "mine";
  Scripted model;
  EXPECT_THROW(ask(model), std::runtime_error);
  EXPECT_EQ(read_file(folder() / "relu/000.cpp"), "mine");
}

TEST_F(RunTest, IsOneProcessAtATime) {
  generate::Run first(config_, asks_, folder(), "1");
  EXPECT_THROW(generate::Run(config_, asks_, folder(), "1"), std::runtime_error);
}

TEST_F(RunTest, EndsWhereNothingCanBeHoped) {
  Scripted model;
  model.answer = [](const Request&) {
    Reply reply;
    reply.error = "status 401: no such key";
    reply.hopeless = true;
    return reply;
  };
  EXPECT_THROW(ask(model), std::runtime_error);
  EXPECT_EQ(model.seen.size(), 1);
  EXPECT_EQ(lines(folder() / "answers.jsonl"), 0);
}

TEST_F(RunTest, IsReplayedWithoutANetwork) {
  Scripted model;
  ask(model);
  Replay replay(folder());
  generate::Run again(config_, asks_, temporary_ / "again", "1");
  EXPECT_EQ(again.ask(replay, 0, {}).candidates, 4);
  EXPECT_EQ(read_file(temporary_ / "again/gelu/001.cpp"), read_file(folder() / "gelu/001.cpp"));
  asks_[0].prompt = "Write another relu.";
  generate::Run other(config_, asks_, temporary_ / "other", "1");
  EXPECT_EQ(other.ask(replay, 0, {}).failed, 2);
  EXPECT_THROW(Replay(temporary_ / "nothing"), std::runtime_error);
}

TEST(DescribeRun, OfAnythingElseIsNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(describe_run(folder / "run.yaml"), "");
  std::ofstream(folder / "run.yaml") << "model: [";
  EXPECT_EQ(describe_run(folder / "run.yaml"), "");
}

}  // namespace
}  // namespace assay::generate

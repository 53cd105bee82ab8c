// SPDX-License-Identifier: Apache-2.0
// What the server keeps by id, what it tells Prometheus, and other systems' shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer_book.h"
#include "gym_shapes.h"
#include "metrics_text.h"

namespace assay::score {
namespace {

using Begun = AnswerBook::Begun;
using nlohmann::json;

/// "nothing" where it has not come yet.
std::string answer_of(AnswerBook& book, const std::string& id) {
  const auto said = std::make_shared<std::string>("nothing");  // who listens may hear later
  return book.listen(id, [said](const std::string& line) { *said = line; }) ? *said : "unknown";
}

TEST(AnswerBook, JudgesTheSameOnce) {
  AnswerBook book(1000);
  EXPECT_EQ(book.begin("a", "x", false), Begun::fresh);
  EXPECT_EQ(book.begin("a", "x", false), Begun::known);
  EXPECT_EQ(book.begin("a", "y", false), Begun::conflict);
  EXPECT_EQ(answer_of(book, "a"), "nothing");
  book.finish("a", "line", true);
  EXPECT_EQ(answer_of(book, "a"), "line");
  EXPECT_EQ(book.begin("a", "x", false), Begun::known);
  EXPECT_EQ(book.begin("a", "x", true), Begun::fresh);  // asked for anew
}

TEST(AnswerBook, AnIdThatWasAnsweredMayBeTakenAgain) {
  AnswerBook book(1000);
  book.begin("a", "x", false);
  book.finish("a", "line", true);
  EXPECT_EQ(book.begin("a", "y", false), Begun::fresh);
  EXPECT_EQ(answer_of(book, "a"), "nothing");
  book.finish("a", "other", true);
  EXPECT_EQ(answer_of(book, "a"), "other");
}

TEST(AnswerBook, AMaskedAnswerIsTriedAgain) {
  AnswerBook book(1000);
  book.begin("a", "x", false);
  book.finish("a", "masked", false);
  EXPECT_EQ(book.begin("a", "x", false), Begun::fresh);
}

TEST(AnswerBook, TellsAllWhoListen) {
  AnswerBook book(1000);
  book.begin("a", "x", false);
  std::vector<std::string> said;
  for (int i = 0; i < 3; ++i) book.listen("a", [&](const std::string& line) { said.push_back(line); });
  book.finish("a", "line", true);
  EXPECT_THAT(said, testing::ElementsAre("line", "line", "line"));
  EXPECT_FALSE(book.listen("b", [](const std::string&) {}));
}

TEST(AnswerBook, WhoListensToWhatIsNotJudgedIsTold) {
  AnswerBook book(1000);
  book.begin("a", "x", false);
  std::string said = "nothing";
  book.listen("a", [&](const std::string& line) { said = line; });
  book.cancel("a");
  EXPECT_EQ(said, "");
  EXPECT_EQ(answer_of(book, "a"), "unknown");
}

TEST(AnswerBook, ForgetsTheOldest) {
  AnswerBook book(25);
  for (const char* id : {"a", "b", "c"}) {
    book.begin(id, "x", false);
    book.finish(id, std::string(10, *id), true);
  }
  EXPECT_EQ(answer_of(book, "a"), "unknown");
  EXPECT_EQ(answer_of(book, "b"), std::string(10, 'b'));
  book.begin("d", "x", false);
  book.finish("d", std::string(1000, 'd'), true);  // one is always kept
  EXPECT_EQ(answer_of(book, "d"), std::string(1000, 'd'));
  EXPECT_EQ(answer_of(book, "c"), "unknown");
}

TEST(Metrics, AreWhatPrometheusReads) {
  Statistics now;
  now.waiting = 3;
  now.verdicts = {{"PASS", 2}};
  now.stages[1] = {2, 0.5};
  const std::string text = metrics_text(now, {{200, 5}, {429, 1}});
  EXPECT_THAT(text, testing::HasSubstr("# TYPE assay_samples_waiting gauge\nassay_samples_waiting 3\n"));
  EXPECT_THAT(text, testing::HasSubstr("assay_samples_total{verdict=\"PASS\"} 2\n"));
  EXPECT_THAT(text, testing::HasSubstr("assay_stage_seconds_sum{stage=\"test\"} 0.500\nassay_stage_seconds_count{stage=\"test\"} 2\n"));
  EXPECT_THAT(text, testing::HasSubstr("assay_http_responses_total{code=\"429\"} 1\n"));
  EXPECT_EQ(text.back(), '\n');
}

json verify_request(const json& output, const json& more = json::object()) {
  json request = {
      {"responses_create_params", {{"input", json::array()}}}, {"response", {{"id", "r"}, {"output", output}}}, {"task", "relu"}};
  request.update(more);
  return request;
}

json message(const std::string& text) {
  return {{"type", "message"}, {"role", "assistant"}, {"content", json::array({{{"type", "output_text"}, {"text", text}}})}};
}

std::string echo(const std::string& task, const std::string& backend, const std::string& text) { return task + "," + backend + "," + text; }

TEST(Verify, TakesTheLastMessage) {
  const json output =
      json::array({message("first"), {{"type", "reasoning"}, {"summary", json::array()}}, message("last"), {{"type", "function_call"}}});
  const Sample sample = sample_of_verify(verify_request(output, {{"deadline_s", 5}, {"reward", "moka"}, {"else", 1}}), echo);
  EXPECT_EQ(sample.source.text(), "relu,cpp,last");
  EXPECT_EQ(sample.reward, "moka");
  EXPECT_EQ(sample.deadline_seconds, 5);
}

TEST(Verify, SaysWhatIsMissing) {
  EXPECT_THROW(sample_of_verify(json::object(), echo), SampleError);
  EXPECT_THROW(sample_of_verify(verify_request(json::array()), echo), SampleError);
  EXPECT_THROW(sample_of_verify(verify_request("text"), echo), SampleError);
  EXPECT_THROW(sample_of_verify(verify_request(json::array({1, nullptr, "x"})), echo), SampleError);
  EXPECT_THROW(sample_of_verify(verify_request(json::array({message("x")}), {{"task", "../relu"}}), echo), SampleError);
  EXPECT_THROW(parse_gym_request("[]"), SampleError);
  EXPECT_THROW(parse_gym_request(std::string(1 << 20, '[')), SampleError);
  EXPECT_THROW(parse_gym_request("{\"a\":\"\xff\"}"), SampleError);
}

TEST(Verify, GivesTheRequestBack) {
  const json request = verify_request(json::array({message("x")}), {{"row", 7}});
  const json response = verify_response(request, {{"reward", 1.0}, {"masked", false}, {"verdict", "PASS"}});
  EXPECT_EQ(response["row"], 7);
  EXPECT_EQ(response["response"], request["response"]);
  EXPECT_EQ(response["reward"], 1.0);
  EXPECT_EQ(response["mask_sample"], false);
}

TEST(Evaluate, NamesTheTaskByItsEntryPoint) {
  const json request = {
      {"task_id", "t1"}, {"entry_point", "relu"}, {"kernel_code", "void relu();"}, {"timeout", 30}, {"reference_code", "import torch"}};
  const Sample sample = sample_of_evaluate(request);
  EXPECT_EQ(sample.id, "t1");
  EXPECT_EQ(sample.task, "relu");
  EXPECT_EQ(sample.source.text(), "void relu();");
  EXPECT_EQ(sample.deadline_seconds, 30);
  EXPECT_EQ(sample.last, record::Stage::bench);
  EXPECT_TRUE(sample.reuse);
  json more = request;
  more.update({{"run_performance", false}, {"force_refresh", true}, {"backend", "opencl"}});
  EXPECT_EQ(sample_of_evaluate(more).last, record::Stage::test);
  EXPECT_FALSE(sample_of_evaluate(more).reuse);
  EXPECT_EQ(sample_of_evaluate(more).backend, "opencl");
  for (const char* key : {"task_id", "entry_point", "kernel_code"}) {
    json less = request;
    less.erase(key);
    EXPECT_THROW(sample_of_evaluate(less), SampleError) << key;
  }
}

TEST(Evaluate, GivesRuntimesInMilliseconds) {
  const json answer = {
      {"id", "t1"},
      {"backend", "cpp"},
      {"verdict", "PASS"},
      {"masked", false},
      {"parts", {{"correct", 1.0}}},
      {"judged_s", 2.5},
      {"feedback", ""},
      {"stages",
       {{"compile", {{"verdict", "PASS"}}}, {"bench", {{"time_ns", 2e6}, {"baseline_ns", 5e6}, {"speedup", {{"estimate", 2.5}}}}}}}};
  const json response = evaluate_response(answer);
  EXPECT_EQ(response["status"], "completed");
  EXPECT_EQ(response["compiled"], true);
  EXPECT_EQ(response["correctness"], true);
  EXPECT_DOUBLE_EQ(response["kernel_runtime"], 2);
  EXPECT_DOUBLE_EQ(response["reference_runtime"], 5);
  EXPECT_DOUBLE_EQ(response["speedup"], 2.5);
  EXPECT_TRUE(response["error_message"].is_null());
}

TEST(Evaluate, MaskedIsNoVerdict) {
  const json response = evaluate_response({{"id", "t1"},
                                           {"backend", "cpp"},
                                           {"verdict", "HARNESS_ERROR"},
                                           {"masked", true},
                                           {"masked_because", "the disk"},
                                           {"parts", json::object()},
                                           {"judged_s", 0.0},
                                           {"feedback", ""},
                                           {"stages", json::object()}});
  EXPECT_EQ(response["status"], "failed");
  EXPECT_TRUE(response["compiled"].is_null());
  EXPECT_TRUE(response["correctness"].is_null());
  EXPECT_EQ(response["error_message"], "the disk");
}

}  // namespace
}  // namespace assay::score

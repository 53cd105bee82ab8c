// SPDX-License-Identifier: Apache-2.0
// The client against a server that misbehaves.
#include "assay/generate/client.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "scripted_server.h"

namespace assay::generate {
namespace {

using testing::HasSubstr;

constexpr const char* kKey = "sk-secret-123";

Endpoint endpoint_of(const ScriptedServer& server) {
  setenv("ASSAY_TEST_KEY", kKey, 1);
  Endpoint endpoint;
  endpoint.base_url = server.base_url();
  endpoint.key_variable = "ASSAY_TEST_KEY";
  endpoint.retries = {3, 0.01, 0.05, 5};
  endpoint.limits.concurrency = 4;
  return endpoint;
}

Sampling sampling() {
  Sampling made;
  made.model = "small";
  return made;
}

/// The replies by id, to `count` requests.
std::map<std::string, Reply> ask(const Endpoint& endpoint, int count = 1, const Sampling& with = sampling()) {
  Client client(endpoint, with);
  std::map<std::string, Reply> replies;
  int asked = 0;
  client.ask(
      [&]() -> std::optional<Request> {
        if (asked == count) return std::nullopt;
        Request request{fmt::format("r{}", asked), {{"user", "void relu(float* x);\n"}}, asked};
        ++asked;
        return request;
      },
      [&](Reply reply) {
        EXPECT_TRUE(replies.emplace(reply.id, reply).second) << reply.id;
        return !reply.hopeless;
      },
      [] { return false; });
  return replies;
}

Reply ask_once(const Endpoint& endpoint) { return ask(endpoint).at("r0"); }

/// A verdict that comes when nothing is under way may bring another turn.
TEST(Client, WaitsWhileThereMayBeAnotherRequest) {
  ScriptedServer server;
  Endpoint endpoint;
  endpoint.base_url = server.base_url();
  Sampling sampling;
  sampling.model = "small";
  Client client(endpoint, sampling);
  int asked = 0, answered = 0, rounds = 0;
  client.ask(
      [&]() -> std::optional<Request> {
        if (asked > answered || rounds < 10 * asked || asked == 3) return std::nullopt;
        return Request{fmt::format("r{}", asked++), {{"user", "void relu(float* x);\n"}}, {}};
      },
      [&](const Reply& reply) {
        EXPECT_EQ(reply.error, "");
        ++answered;
        rounds = 0;
        return true;
      },
      [&] {
        ++rounds;
        return answered < 3;
      });
  EXPECT_EQ(answered, 3);
}

class Both : public testing::TestWithParam<std::tuple<Api, bool>> {
 protected:
  Endpoint endpoint(const ScriptedServer& server) const {
    Endpoint made = endpoint_of(server);
    std::tie(made.api, made.stream) = GetParam();
    return made;
  }
};

TEST_P(Both, AnswersWithTextAndUsage) {
  const ScriptedServer server;
  const Reply reply = ask_once(endpoint(server));
  EXPECT_EQ(reply.error, "");
  EXPECT_EQ(reply.text, "Here it is.\n\n```cpp\n#include \"kernel.h\"\n\nvoid relu(float* x) {}\n```\n");
  EXPECT_EQ(reply.finish, "stop");
  EXPECT_EQ(reply.model, "scripted-1");
  EXPECT_EQ(reply.usage.prompt, 100);
  EXPECT_EQ(reply.usage.cached, 60);
  EXPECT_EQ(reply.usage.completion, 20);
  EXPECT_EQ(reply.usage.reasoning, 5);
  EXPECT_GT(reply.seconds, 0);
  EXPECT_EQ(server.seen().front().authorization, std::string("Bearer ") + kKey);
}

TEST_P(Both, IsAskedAgainWhereItWasCutOff) {
  ScriptedServer server;
  server.script({"cut", "drop", "cut"});
  const Reply reply = ask_once(endpoint(server));
  EXPECT_EQ(reply.error, "");
  EXPECT_EQ(reply.attempts, 4);
}

INSTANTIATE_TEST_SUITE_P(Apis, Both, testing::Combine(testing::Values(Api::chat, Api::responses), testing::Bool()));

TEST(Client, SendsWhatTheSamplingSays) {
  const ScriptedServer server;
  Endpoint endpoint = endpoint_of(server);
  Sampling with = sampling();
  with.temperature = 0.5;
  with.top_p = 0.9;
  with.max_tokens = 77;
  with.stop = {"END"};
  with.effort = "low";
  with.extra = {{"top_k", 20}};
  ask(endpoint, 1, with);
  endpoint.api = Api::responses;
  ask(endpoint, 1, with);
  const nlohmann::json chat = server.seen().at(0).body, responses = server.seen().at(1).body;
  EXPECT_EQ(server.seen().at(0).path, "/v1/chat/completions");
  EXPECT_EQ(server.seen().at(1).path, "/v1/responses");
  const nlohmann::json expected = {{"model", "small"},
                                   {"temperature", 0.5},
                                   {"top_p", 0.9},
                                   {"max_tokens", 77},
                                   {"stop", {"END"}},
                                   {"seed", 0},
                                   {"reasoning_effort", "low"},
                                   {"top_k", 20},
                                   {"stream", true},
                                   {"stream_options", {{"include_usage", true}}},
                                   {"messages", {{{"role", "user"}, {"content", "void relu(float* x);\n"}}}}};
  EXPECT_EQ(chat, expected);
  EXPECT_EQ(responses.at("max_output_tokens"), 77);
  EXPECT_EQ(responses.at("reasoning").at("effort"), "low");
  EXPECT_EQ(responses.at("store"), false);
}

TEST(Client, TriesAgainAfterWhatPasses) {
  ScriptedServer server;
  for (const char* word :
       {"408", "409", "429", "500", "502", "503", "529", "drop", "cut", "broken", "wrong-type", "empty", "no-utf8", "no-end", "deep"}) {
    server.script({word});
    const Reply reply = ask_once(endpoint_of(server));
    EXPECT_EQ(reply.error, "") << word;
    EXPECT_EQ(reply.attempts, 2) << word;
  }
}

TEST(Client, GivesUpAfterTheLastTry) {
  ScriptedServer server;
  server.script({"500", "500", "500", "503"});
  const Reply reply = ask_once(endpoint_of(server));
  EXPECT_EQ(reply.error, "status 503: as scripted (4 attempts)");
  EXPECT_FALSE(reply.hopeless);
}

TEST(Client, DoesNotTryAgainWhatDoesNotPass) {
  ScriptedServer server;
  for (const auto& [word, said, hopeless] : {std::tuple("400", "status 400: as scripted", false),
                                             {"401", "status 401", true},
                                             {"404", "status 404", true},
                                             {"html", "HTML page", true},
                                             {"quota", "exceeded your current quota", true},
                                             {"redirect:http://127.0.0.2:9/v1", "redirection to http://127.0.0.2:9/v1", true},
                                             {"huge", "larger than most_bytes", false}}) {
    server.script({word});
    const Reply reply = ask_once(endpoint_of(server));
    EXPECT_THAT(reply.error, HasSubstr(said)) << word;
    EXPECT_EQ(reply.attempts, 1) << word;
    EXPECT_EQ(reply.hopeless, hopeless) << word;
  }
}

TEST(Client, WaitsAsLongAsItIsTold) {
  ScriptedServer server;
  server.script({"429:1"});
  EXPECT_EQ(ask_once(endpoint_of(server)).error, "");
  const auto seen = server.seen();
  EXPECT_GE(seen.at(1).at - seen.at(0).at, 1.0);
  EXPECT_LT(seen.at(1).at - seen.at(0).at, 10.0);
}

TEST(Client, WaitsUntilADate) {
  ScriptedServer server;
  const std::time_t then = std::time(nullptr) + 2;
  char date[64];
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", std::gmtime(&then));
  server.script({std::string("503:") + date});
  EXPECT_EQ(ask_once(endpoint_of(server)).error, "");
  const auto seen = server.seen();
  EXPECT_GE(seen.at(1).at - seen.at(0).at, 0.8);
  EXPECT_LT(seen.at(1).at - seen.at(0).at, 10.0);
}

TEST(Client, DoesNotWaitForDays) {
  ScriptedServer server;
  server.script({"429:86400"});
  EXPECT_THAT(ask_once(endpoint_of(server)).error, HasSubstr("asks to wait 86400 s"));
}

TEST(Client, HoldsItsTimeouts) {
  ScriptedServer server;
  Endpoint endpoint = endpoint_of(server);
  endpoint.timeouts.total = 0.8;
  server.script({"slow:1.5", "drip:0.5"});
  const auto begin = std::chrono::steady_clock::now();
  const Reply reply = ask_once(endpoint);
  EXPECT_EQ(reply.error, "");
  EXPECT_EQ(reply.attempts, 3);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Client, AsksSoManyAtATime) {
  const ScriptedServer server({.tls = false, .seconds = 0.05});
  Endpoint endpoint = endpoint_of(server);
  endpoint.limits.concurrency = 7;
  EXPECT_EQ(ask(endpoint, 40).size(), 40);
  EXPECT_EQ(server.most_at_once(), 7);
}

TEST(Client, KeepsToRequestsPerMinute) {
  const ScriptedServer server;
  Endpoint endpoint = endpoint_of(server);
  endpoint.limits.requests_per_minute = 600;  // ten a second, after a burst of 100
  endpoint.limits.concurrency = 50;
  ask(endpoint, 115);
  const auto seen = server.seen();
  EXPECT_GE(seen.back().at - seen.front().at, 1.3);
}

TEST(Client, DoesNotShowItsKey) {
  ScriptedServer server;
  server.script({"echo"});
  const Reply reply = ask_once(endpoint_of(server));
  EXPECT_THAT(reply.error, HasSubstr("Incorrect API key: Bearer [key]"));
  EXPECT_THAT(reply.error, testing::Not(HasSubstr(kKey)));
  EXPECT_THAT(reply.error, testing::Not(HasSubstr("\x1b")));
}

/// The other host is asked nothing at all.
TEST(Client, GivesItsKeyToTheConfiguredHostAlone) {
  ScriptedServer server, other;
  server.script({"redirect:" + other.base_url()});
  EXPECT_THAT(ask_once(endpoint_of(server)).error, HasSubstr("not followed"));
  EXPECT_TRUE(other.seen().empty());
}

TEST(Client, TrustsOnlyKnownCertificates) {
  const ScriptedServer server({.tls = true});
  Endpoint endpoint = endpoint_of(server);
  const Reply refused = ask_once(endpoint);
  EXPECT_THAT(refused.error, HasSubstr("certificate is not trusted"));
  EXPECT_TRUE(refused.hopeless);
  EXPECT_TRUE(server.seen().empty());
  endpoint.ca_file = server.certificate();
  EXPECT_EQ(ask_once(endpoint).error, "");
}

/// One server for the proxy: it sees the whole address in the request line, and answers as the other would.
TEST(Client, GoesThroughAProxy) {
  const ScriptedServer proxy;
  Endpoint endpoint = endpoint_of(proxy);
  endpoint.proxy = proxy.base_url().substr(0, proxy.base_url().size() - 3);
  endpoint.base_url = "http://model.invalid/v1";
  endpoint.key_variable.clear();
  EXPECT_EQ(ask_once(endpoint).error, "");
  EXPECT_EQ(proxy.seen().size(), 1);
  EXPECT_EQ(proxy.seen().front().authorization, "");
}

TEST(Client, RefusesWhatItCannotUse) {
  setenv("ASSAY_TEST_KEY", kKey, 1);
  Endpoint endpoint;
  const auto refuses = [&](const std::string& url, const char* variable, const char* said) {
    endpoint.base_url = url;
    endpoint.key_variable = variable;
    try {
      Client client(endpoint, sampling());
      ADD_FAILURE() << url;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(said));
      EXPECT_THAT(error.what(), HasSubstr("do: "));
    }
  };
  refuses("https://h/v1", "ASSAY_NO_SUCH_KEY", "ASSAY_NO_SUCH_KEY is not set");
  refuses("http://h/v1", "ASSAY_TEST_KEY", "unencrypted");
  refuses("http://127.evil.example/v1", "ASSAY_TEST_KEY", "unencrypted");
  refuses("ftp://h/v1", "", "neither https nor http");
  refuses("https://user:pass@h/v1", "", "has a user");
  refuses("https://h/v1?key=1", "", "has a user, a query");
  refuses("not a url", "", "is no URL");
  setenv("ASSAY_TEST_KEY", "a\r\nX: b", 1);
  refuses("https://h/v1", "ASSAY_TEST_KEY", "control characters");
}

TEST(Client, StopsWhenItIsTold) {
  ScriptedServer server;
  server.script({"401"});
  Endpoint endpoint = endpoint_of(server);
  endpoint.limits.concurrency = 1;
  EXPECT_EQ(ask(endpoint, 20).size(), 1);
}

/// A server that is not there.
TEST(Client, SaysThatNobodyAnswers) {
  Endpoint endpoint;
  endpoint.base_url = "http://127.0.0.1:1/v1";
  endpoint.retries = {1, 0.01, 0.01, 1};
  EXPECT_THAT(ask_once(endpoint).error, HasSubstr("(2 attempts)"));
}

}  // namespace
}  // namespace assay::generate

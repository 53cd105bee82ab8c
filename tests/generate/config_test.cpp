// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::generate {
namespace {

using testing::HasSubstr;

constexpr const char* kWhole = R"(run: big-model
backend: cpp
tasks: [relu, softmax]
suites: [npueval]
samples: 5
seed: 42
system: Be fast.
provider: openai
base_url: https://example.org/v1
api: responses
model: big
key: MY_KEY
stream: false
sampling:
  temperature: 0.8
  top_p: 0.95
  max_tokens: 4096
  stop: [END, "1"]
  effort: high
extra: {top_k: 20, name: "20", sign: 🦙, nested: {flag: true, list: [1, a]}}
limits: {concurrency: 64, requests_per_minute: 500, tokens_per_minute: 1e6}
timeouts: {connect: 5, stall: 60, total: 600}
retries: {most: 3, first: 0.5, cap: 30, longest_wait: 100}
prices: {input: 1.25, cached: 0.125, output: 10}
prompt: {parts: [summary, model], shots: "retrieval:examples", shot_count: 5}
strategy: {name: iterative, turns: 4, feedback: compile}
)";

TEST(Config, ReadsEveryKey) {
  const RunConfig config = parse_config(kWhole, "c.yaml");
  EXPECT_EQ(config.run, "big-model");
  EXPECT_THAT(config.tasks, testing::ElementsAre("relu", "softmax"));
  EXPECT_THAT(config.suites, testing::ElementsAre("npueval"));
  EXPECT_EQ(config.samples, 5);
  EXPECT_EQ(config.seed, 42);
  EXPECT_EQ(config.endpoint.base_url, "https://example.org/v1");
  EXPECT_EQ(config.endpoint.api, Api::responses);
  EXPECT_EQ(config.endpoint.key_variable, "MY_KEY");
  EXPECT_EQ(config.endpoint.max_tokens_field, "max_completion_tokens");  // of the preset
  EXPECT_FALSE(config.endpoint.stream);
  EXPECT_EQ(config.endpoint.limits.concurrency, 64);
  EXPECT_EQ(config.endpoint.limits.tokens_per_minute, 1e6);
  EXPECT_EQ(config.endpoint.retries.longest_wait, 100);
  EXPECT_EQ(config.endpoint.timeouts.stall, 60);
  EXPECT_EQ(config.sampling.temperature, 0.8);
  EXPECT_EQ(config.sampling.max_tokens, 4096);
  EXPECT_EQ(config.sampling.effort, "high");
  EXPECT_EQ(config.sampling.extra,
            nlohmann::json::parse(R"({"top_k": 20, "name": "20", "sign": "🦙", "nested": {"flag": true, "list": [1, "a"]}})"));
  EXPECT_EQ(config.prices.cached, 0.125);
  EXPECT_THAT(config.prompt.parts, testing::ElementsAre("summary", "model"));
  EXPECT_EQ(config.prompt.shots, "retrieval:examples");
  EXPECT_EQ(config.prompt.shot_count, 5);
  EXPECT_EQ(config.strategy, (StrategyChoice{"iterative", 4, record::Stage::compile}));
  EXPECT_EQ(parse_config("strategy: single\n", "c.yaml").strategy, StrategyChoice());
  EXPECT_EQ(parse_config("strategy: iterative\n", "c.yaml").strategy, (StrategyChoice{"iterative", 10, record::Stage::test}));
}

TEST(Config, IsWrittenAsItIsRead) {
  const RunConfig config = parse_config(kWhole, "c.yaml");
  const RunConfig again = parse_config(config_text(config), "run.yaml");
  EXPECT_EQ(config_text(again), config_text(config));
  EXPECT_EQ(config_identity(again), config_identity(config));
  EXPECT_EQ(again.sampling.extra, config.sampling.extra);
  EXPECT_EQ(again.sampling.stop, config.sampling.stop);
  EXPECT_EQ(again.endpoint.limits.requests_per_minute, 500);
}

TEST(Config, IsAnotherOneWhereAnswersWouldBe) {
  const RunConfig config = parse_config(kWhole, "c.yaml");
  RunConfig same = config, other = config;
  same.samples = 9;
  same.endpoint.limits.concurrency = 1;
  same.tasks.clear();
  EXPECT_EQ(config_identity(same), config_identity(config));
  other.sampling.temperature = 0.7;
  EXPECT_NE(config_identity(other), config_identity(config));
  other = config;
  other.prompt.parts.pop_back();
  EXPECT_NE(config_identity(other), config_identity(config));
  other = config;
  other.prompt.shot_count = 1;
  EXPECT_NE(config_identity(other), config_identity(config));
  other = config;
  other.strategy.turns = 5;
  EXPECT_NE(config_identity(other), config_identity(config));
}

TEST(Config, KeepsSecretsOutOfWhatIsWritten) {
  const std::string text = config_text(parse_config("proxy: http://user:secret@proxy\nprovider: openai\n", "c.yaml"));
  EXPECT_THAT(text, testing::Not(HasSubstr("secret")));
  EXPECT_THAT(text, HasSubstr("key: OPENAI_API_KEY"));
}

TEST(Config, SaysWhereAMistakeIs) {
  for (const auto& [text, said] : {std::pair("run: [", "c.yaml:"),
                                   {"a\n", "must be a mapping"},
                                   {"run: x\nmodell: y\n", "c.yaml:2:1: generate: unknown key 'modell'"},
                                   {"run: x\n? [a]\n: 3\n", "c.yaml:2:3: a key must be a word, got a list"},
                                   {"run: x\nprompt: {!a: [b]}\n", "c.yaml:2:10: a key must be a word"},
                                   {"samples: many\n", "c.yaml:1:10: samples: must be an integer, got 'many'"},
                                   {"samples: 0\n", "from 1 to 1000"},
                                   {"prompt: {shot_count: 0}\n", "shot_count: must be a whole number from 1 to 100"},
                                   {"provider: opnai\n", "did you mean: openai"},
                                   {"key: sk-1234\n", "keep the key itself out of files"},
                                   {"sampling: {temperature: -1}\n", "c.yaml:1:25: temperature: must be a number from 0"},
                                   {"sampling: {temperature: .nan}\n", "must be a number"},
                                   {"strategy: {turns: 3}\n", "single has no turns and no feedback"},
                                   {"strategy: {name: iterative, turns: 0}\n", "turns: must be a whole number from 1 to 100"},
                                   {"strategy: {name: iterative, feedback: tests}\n", "must be compile, test or bench, got 'tests'"},
                                   {"strategy: {name: iterative, feedbak: test}\n", "unknown key 'feedbak'"},
                                   {"api: completions\n", "must be chat or responses"},
                                   {"key_header: \"X\\r\\nY\"\n", "key_header"},
                                   {"limits: {concurrency: 100000}\n", "from 1 to 1024"},
                                   {"run: x\nsystem: \xff\n", "c.yaml:2:1: generate: the line is not UTF-8"},
                                   {"extra: {[a, b]: 1}\n", "a key must be a word"},
                                   {"model: \"a\\e[2J\"\n", "model: has control characters"},
                                   {"extra: 3\n", "extra: must be a mapping"}}) {
    try {
      parse_config(text, "c.yaml");
      ADD_FAILURE() << text;
    } catch (const spec::SpecError& error) {
      EXPECT_THAT(error.what(), HasSubstr(said)) << text;
    }
  }
}

TEST(Config, HasNoZeroByte) {
  try {
    parse_config(std::string("run: x\nmodel: \0_\n", 17), "c.yaml");
    ADD_FAILURE();
  } catch (const spec::SpecError& error) {
    EXPECT_STREQ(error.what(), "c.yaml:2:8: not YAML: a zero byte");
  }
}

TEST(Config, IsChecked) {
  RunConfig config = parse_config("run: x\nmodel: m\nprovider: vllm\n", "c.yaml");
  EXPECT_NO_THROW(check_config(config));
  for (const char* run : {"", "Upper", "-x", "a/b", "../x", "reference"}) {
    config.run = run;
    EXPECT_THROW(check_config(config), std::runtime_error) << run;
  }
  config.run = "x";
  config.endpoint.base_url = "https://user:secret@host/v1";
  EXPECT_THROW(check_config(config), std::runtime_error);
  config.endpoint.base_url = "https://host/v1";
  config.strategy.name = "singel";
  EXPECT_THROW(check_config(config), std::runtime_error);
}

TEST(Presets, AreEncryptedOrLocal) {
  EXPECT_GE(presets().size(), 10);
  for (const auto& [name, preset] : presets()) {
    if (preset.key_variable.empty()) EXPECT_THAT(preset.base_url, testing::StartsWith("http://127.0.0.1:")) << name;
    else EXPECT_THAT(preset.base_url, testing::StartsWith("https://")) << name;
  }
}

}  // namespace
}  // namespace assay::generate

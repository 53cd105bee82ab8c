// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "assay/record/printable.h"
#include "assay/spec/digest.h"
#include "assay/spec/nearest.h"
#include "assay/spec/yaml_reader.h"

namespace assay::generate {
namespace {

using nlohmann::json;
using spec::YamlFile;
namespace fs = std::filesystem;

constexpr int kDeepestExtra = 16;
constexpr std::size_t kLongestKey = 100;

bool is_utf8(const std::string& text) {
  try {
    json(text).dump();
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

void require_utf8(const std::string& text, const fs::path& file) {
  if (is_utf8(text)) return;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);)
    if (++number; !is_utf8(line))
      throw spec::SpecError({file.string(), number, 1}, "generate: the line is not UTF-8. do: save the file as UTF-8");
  throw spec::SpecError({file.string(), 1, 1}, "generate: the file is not UTF-8. do: save it as UTF-8");
}

/// YAML to JSON: a plain scalar is the number or truth value that it looks like.
json to_json(const YamlFile& file, const YAML::Node& node, int depth = 0) {
  if (depth > kDeepestExtra) file.fail(node, "extra: is nested too deeply");
  if (node.IsNull()) return nullptr;
  if (node.IsSequence()) {
    json list = json::array();
    for (const auto& item : node) list.push_back(to_json(file, item, depth + 1));
    return list;
  }
  if (node.IsMap()) {
    json object = json::object();
    for (const auto& entry : node) {
      if (!entry.first.IsScalar() || entry.first.Scalar().size() > kLongestKey)
        file.fail(entry.first, fmt::format("extra: a key must be a word of at most {} bytes", kLongestKey));
      object[entry.first.Scalar()] = to_json(file, entry.second, depth + 1);
    }
    return object;
  }
  if (node.Tag() == "!") return node.Scalar();  // quoted
  if (const json scalar = json::parse(node.Scalar(), nullptr, false); scalar.is_number() || scalar.is_boolean()) return scalar;
  return node.Scalar();
}

class ConfigReader {
 public:
  explicit ConfigReader(const YamlFile& file) : file_(file) {}

  RunConfig read() {
    const YAML::Node& root = file_.root();
    // The last four are what a run.yaml has beside its configuration.
    file_.require_keys(root, "generate", {"run",        "backend",  "tasks",    "suites",  "samples",  "seed",       "strategy", "system",
                                          "provider",   "base_url", "api",      "model",   "key",      "key_header", "stream",   "proxy",
                                          "ca",         "sampling", "extra",    "limits",  "timeouts", "retries",    "prices",   "prompt",
                                          "most_bytes", "assay",    "identity", "prompts", "totals"});
    if (const YAML::Node provider = root["provider"]) read_provider(provider);
    text(root, "run", config_.run);
    text(root, "backend", config_.backend);
    texts(root, "tasks", config_.tasks);
    texts(root, "suites", config_.suites);
    if (root["samples"]) config_.samples = static_cast<int>(whole(root["samples"], "samples", 1, 1000));
    if (root["seed"]) config_.seed = file_.integer(root["seed"], "seed");
    if (root["strategy"]) read_strategy(root["strategy"]);
    text(root, "system", config_.system);
    read_endpoint(root);
    read_sampling(root);
    read_prices(root);
    read_prompt(root);
    return std::move(config_);
  }

 private:
  void require_plain(const YAML::Node& node, const char* key, const std::string& value) const {
    const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; };
    if (std::ranges::any_of(value, is_control)) file_.fail(node, fmt::format("{}: has control characters. do: remove them", key));
  }
  void text(const YAML::Node& map, const char* key, std::string& to) const {
    if (!map[key]) return;
    to = file_.text(map[key], key);
    require_plain(map[key], key, to);
  }
  void texts(const YAML::Node& map, const char* key, std::vector<std::string>& to) const {
    if (!map[key]) return;
    to = file_.texts(map[key], key);
    for (const std::string& value : to) require_plain(map[key], key, value);
  }
  void number(const YAML::Node& map, const char* key, double& to, double low, double high) const {
    if (map[key]) to = real(map[key], key, low, high);
  }
  double real(const YAML::Node& node, const char* key, double low, double high) const {
    const double value = file_.number(node, key);
    if (!(value >= low && value <= high))
      file_.fail(node, fmt::format("{}: must be a number from {} to {}, got {}", key, low, high, value));
    return value;
  }
  std::int64_t whole(const YAML::Node& node, const char* key, std::int64_t low, std::int64_t high) const {
    const std::int64_t value = file_.integer(node, key);
    if (value < low || value > high)
      file_.fail(node, fmt::format("{}: must be a whole number from {} to {}, got {}", key, low, high, value));
    return value;
  }

  void read_provider(const YAML::Node& node) {
    const std::string name = file_.text(node, "provider");
    const auto found = presets().find(name);
    if (found == presets().end()) {
      std::vector<std::string> known;
      for (const auto& [preset, endpoint] : presets()) known.push_back(preset);
      file_.fail(node, fmt::format("provider: unknown '{}'{}. known: {}. do: choose one, or give base_url and key", name,
                                   spec::did_you_mean(name, known), fmt::join(known, " ")));
    }
    config_.endpoint = found->second;
  }

  /// A name, or a mapping with one.
  void read_strategy(const YAML::Node& node) {
    StrategyChoice& choice = config_.strategy;
    if (!node.IsMap()) {
      choice.name = file_.text(node, "strategy");
      require_plain(node, "strategy", choice.name);
      return;
    }
    file_.require_keys(node, "strategy", {"name", "turns", "feedback"});
    text(node, "name", choice.name);
    if (choice.name == StrategyChoice().name && (node["turns"] || node["feedback"]))
      file_.fail(node, fmt::format("strategy: {} has no turns and no feedback. do: choose iterative or agents", choice.name));
    if (node["turns"]) choice.turns = static_cast<int>(whole(node["turns"], "turns", 1, 100));
    if (const YAML::Node feedback = node["feedback"]) {
      const std::string name = file_.text(feedback, "feedback");
      const auto stage = record::stage_named(name);
      if (!stage) file_.fail(feedback, fmt::format("feedback: must be compile, test or bench, got '{}'", name));
      choice.feedback = *stage;
    }
  }

  void read_endpoint(const YAML::Node& root) {
    Endpoint& endpoint = config_.endpoint;
    text(root, "base_url", endpoint.base_url);
    if (const YAML::Node api = root["api"]) {
      const std::string name = file_.text(api, "api");
      if (name != "chat" && name != "responses") file_.fail(api, fmt::format("api: must be chat or responses, got '{}'", name));
      endpoint.api = name == "chat" ? Api::chat : Api::responses;
    }
    if (const YAML::Node key = root["key"]) read_key(key);
    if (const YAML::Node header = root["key_header"]) {
      endpoint.key_header = file_.text(header, "key_header");
      const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
      if (endpoint.key_header.empty() || !std::ranges::all_of(endpoint.key_header, plain))
        file_.fail(header, "key_header: must be the name of a header, letters, digits and '-'");
    }
    if (root["stream"]) endpoint.stream = file_.flag(root["stream"], "stream");
    text(root, "proxy", endpoint.proxy);
    text(root, "ca", endpoint.ca_file);
    if (root["most_bytes"]) endpoint.most_bytes = static_cast<std::size_t>(whole(root["most_bytes"], "most_bytes", 1 << 10, 1 << 30));
    if (const YAML::Node limits = root["limits"]) {
      file_.require_keys(limits, "limits", {"concurrency", "requests_per_minute", "tokens_per_minute"});
      if (limits["concurrency"]) endpoint.limits.concurrency = static_cast<int>(whole(limits["concurrency"], "concurrency", 1, 1024));
      number(limits, "requests_per_minute", endpoint.limits.requests_per_minute, 0, 1e9);
      number(limits, "tokens_per_minute", endpoint.limits.tokens_per_minute, 0, 1e12);
    }
    if (const YAML::Node timeouts = root["timeouts"]) {
      file_.require_keys(timeouts, "timeouts", {"connect", "stall", "total"});
      number(timeouts, "connect", endpoint.timeouts.connect, 0.1, 86400);
      number(timeouts, "stall", endpoint.timeouts.stall, 1, 86400);
      number(timeouts, "total", endpoint.timeouts.total, 0.1, 86400);
    }
    if (const YAML::Node retries = root["retries"]) {
      file_.require_keys(retries, "retries", {"most", "first", "cap", "longest_wait"});
      if (retries["most"]) endpoint.retries.most = static_cast<int>(whole(retries["most"], "most", 0, 1000));
      number(retries, "first", endpoint.retries.first, 0.001, 86400);
      number(retries, "cap", endpoint.retries.cap, 0.001, 86400);
      number(retries, "longest_wait", endpoint.retries.longest_wait, 0, 86400);
    }
  }

  /// A key in the file would end in a repository.
  void read_key(const YAML::Node& node) {
    const std::string name = file_.text(node, "key");
    const auto plain = [](unsigned char c) { return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_'; };
    if (name != "none" && (name.empty() || !std::ranges::all_of(name, plain)))
      file_.fail(node, "key: must be the name of an environment variable (A-Z, 0-9, _) or none. do: keep the key itself out of files");
    config_.endpoint.key_variable = name == "none" ? "" : name;
  }

  void read_sampling(const YAML::Node& root) {
    Sampling& sampling = config_.sampling;
    text(root, "model", sampling.model);
    if (const YAML::Node extra = root["extra"]) {
      if (!extra.IsMap()) file_.fail(extra, "extra: must be a mapping of keys of the request");
      sampling.extra = to_json(file_, extra);
    }
    const YAML::Node given = root["sampling"];
    if (!given) return;
    file_.require_keys(given, "sampling", {"temperature", "top_p", "max_tokens", "stop", "effort"});
    if (given["temperature"]) sampling.temperature = real(given["temperature"], "temperature", 0, 100);
    if (given["top_p"]) sampling.top_p = real(given["top_p"], "top_p", 0, 1);
    if (given["max_tokens"]) sampling.max_tokens = whole(given["max_tokens"], "max_tokens", 1, 1 << 30);
    texts(given, "stop", sampling.stop);
    text(given, "effort", sampling.effort);
  }

  void read_prices(const YAML::Node& root) {
    const YAML::Node given = root["prices"];
    if (!given) return;
    file_.require_keys(given, "prices", {"input", "cached", "output"});
    for (const auto& [key, price] :
         {std::pair("input", &config_.prices.input), {"cached", &config_.prices.cached}, {"output", &config_.prices.output}})
      if (given[key]) *price = real(given[key], key, 0, 1e9);
  }

  void read_prompt(const YAML::Node& root) {
    const YAML::Node given = root["prompt"];
    if (!given) return;
    file_.require_keys(given, "prompt", {"parts", "template", "shots", "shot_count"});
    texts(given, "parts", config_.prompt.parts);
    text(given, "template", config_.prompt.template_file);
    text(given, "shots", config_.prompt.shots);
    if (given["shot_count"]) config_.prompt.shot_count = static_cast<int>(whole(given["shot_count"], "shot_count", 1, 100));
  }

  const YamlFile& file_;
  RunConfig config_;
};

/// What the answers depend on.
YAML::Node identity_node(const RunConfig& config) {
  YAML::Node root;
  const Endpoint& endpoint = config.endpoint;
  root["backend"] = config.backend;
  if (!endpoint.provider.empty()) root["provider"] = endpoint.provider;
  root["base_url"] = endpoint.base_url;
  root["api"] = endpoint.api == Api::chat ? "chat" : "responses";
  root["model"] = config.sampling.model;
  if (config.strategy.name == StrategyChoice().name) {
    root["strategy"] = config.strategy.name;
  } else {
    root["strategy"]["name"] = config.strategy.name;
    root["strategy"]["turns"] = config.strategy.turns;
    root["strategy"]["feedback"] = std::string(record::name(config.strategy.feedback));
  }
  if (!config.system.empty()) root["system"] = config.system;
  if (config.seed) root["seed"] = *config.seed;
  const Sampling& sampling = config.sampling;
  YAML::Node given;
  if (sampling.temperature) given["temperature"] = fmt::format("{}", *sampling.temperature);
  if (sampling.top_p) given["top_p"] = fmt::format("{}", *sampling.top_p);
  if (sampling.max_tokens) given["max_tokens"] = *sampling.max_tokens;
  if (!sampling.stop.empty()) given["stop"] = sampling.stop;
  if (!sampling.effort.empty()) given["effort"] = sampling.effort;
  if (given.size() > 0) root["sampling"] = given;
  YAML::Node prompt;
  if (!config.prompt.parts.empty()) prompt["parts"] = config.prompt.parts;
  if (!config.prompt.template_file.empty()) prompt["template"] = config.prompt.template_file;
  if (!config.prompt.shots.empty()) prompt["shots"] = config.prompt.shots;
  if (config.prompt.shot_count != 0) prompt["shot_count"] = config.prompt.shot_count;
  if (prompt.size() > 0) root["prompt"] = prompt;
  return root;
}

std::string emitted(const YAML::Node& node) {
  YAML::Emitter out;
  out << node;
  return std::string(out.c_str()) + "\n";
}

/// JSON is YAML, too.
std::string extra_text(const Sampling& sampling) {
  return sampling.extra.empty() ? "" : "extra: " + sampling.extra.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string number_text(double value) { return fmt::format("{}", value); }

}  // namespace

RunConfig parse_config(const std::string& text, const fs::path& file) {
  require_utf8(text, file);
  return ConfigReader(YamlFile(file.string(), text)).read();
}

RunConfig load_config(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  if (!(text << in.rdbuf())) throw std::runtime_error(fmt::format("generate: {} cannot be read. do: name a YAML file", file.string()));
  return parse_config(text.str(), file);
}

void check_config(const RunConfig& config) {
  const auto fail = [](const std::string& what) { throw std::runtime_error("generate: " + record::printable(what)); };
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (config.run.empty()) fail("no run. do: give run: <name> in the configuration, or --run");
  if (config.run.front() == '-' || !std::ranges::all_of(config.run, plain) || config.run == "reference")
    fail(fmt::format("run: '{}' must be [a-z0-9][a-z0-9-]*, and not 'reference'", config.run));
  if (config.sampling.model.empty()) fail("no model. do: give model: <name> in the configuration, or --model");
  if (config.endpoint.base_url.empty()) fail("no server. do: give provider: or base_url: in the configuration");
  if (config.endpoint.base_url.find('@') != std::string::npos)
    fail("base_url: holds a user, which would be kept in run.yaml. do: give a key");
  if (config.samples < 1 || config.samples > 1000) fail(fmt::format("samples: must be from 1 to 1000, got {}", config.samples));
  make_strategy(config.strategy);
}

std::string config_text(const RunConfig& config) {
  YAML::Node root;
  root["run"] = config.run;
  if (!config.tasks.empty()) root["tasks"] = config.tasks;
  if (!config.suites.empty()) root["suites"] = config.suites;
  root["samples"] = config.samples;
  for (const auto& entry : identity_node(config)) root[entry.first.Scalar()] = entry.second;
  const Endpoint& endpoint = config.endpoint;
  root["key"] = endpoint.key_variable.empty() ? "none" : endpoint.key_variable;
  if (endpoint.key_header != Endpoint().key_header) root["key_header"] = endpoint.key_header;
  root["stream"] = endpoint.stream;
  root["most_bytes"] = endpoint.most_bytes;
  root["limits"]["concurrency"] = endpoint.limits.concurrency;
  root["limits"]["requests_per_minute"] = number_text(endpoint.limits.requests_per_minute);
  root["limits"]["tokens_per_minute"] = number_text(endpoint.limits.tokens_per_minute);
  root["timeouts"]["connect"] = number_text(endpoint.timeouts.connect);
  root["timeouts"]["stall"] = number_text(endpoint.timeouts.stall);
  root["timeouts"]["total"] = number_text(endpoint.timeouts.total);
  root["retries"]["most"] = endpoint.retries.most;
  root["retries"]["first"] = number_text(endpoint.retries.first);
  root["retries"]["cap"] = number_text(endpoint.retries.cap);
  root["retries"]["longest_wait"] = number_text(endpoint.retries.longest_wait);
  for (const auto& [key, price] :
       {std::pair("input", config.prices.input), {"cached", config.prices.cached}, {"output", config.prices.output}})
    if (price) root["prices"][key] = number_text(*price);
  return emitted(root) + extra_text(config.sampling);
}

std::string config_identity(const RunConfig& config) { return spec::digest(emitted(identity_node(config)) + extra_text(config.sampling)); }

}  // namespace assay::generate

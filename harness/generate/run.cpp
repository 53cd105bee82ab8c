// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "assay/record/printable.h"
#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"
#include "assay/spec/yaml_reader.h"
#include "journal.h"
#include "judgement_json.h"
#include "reply_json.h"

namespace assay::generate {
namespace {

using nlohmann::json;
using record::printable;
namespace fs = std::filesystem;

constexpr int kMostSamples = 1000;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

constexpr std::size_t kMostJudging = 256;  ///< more are not asked for until some of these are judged
constexpr int kMostUnjudged = 3;           ///< failures of a judge that has judged nothing

/// A sample on its way.
struct Candidate {
  const Ask* ask = nullptr;
  int sample = 0;
  std::vector<Turn> turns = {};  ///< that were answered
  std::string prompt = {};       ///< digest of what is being asked
};

/// An answer of an earlier call.
struct KeptAnswer {
  std::string prompt, text;
  std::int64_t tokens = 0;
  bool cut_off = false;
};

struct KeptVerdict {
  std::string source;
  Judgement judgement;
};

std::int64_t tokens_of(const Usage& usage) { return usage.prompt + usage.completion; }
bool was_cut_off(const Reply& reply) { return reply.finish == "length"; }

void add(Usage& sum, const Usage& more) {
  sum.prompt += more.prompt;
  sum.cached += more.cached;
  sum.completion += more.completion;
  sum.reasoning += more.reasoning;
  if (more.cost) sum.cost = sum.cost.value_or(0) + *more.cost;
}

/// By the prices of the configuration, where the server did not say.
void add_cost(Usage& usage, const Prices& prices) {
  if (usage.cost || !prices.input || !prices.output) return;
  constexpr double million = 1e6;
  const auto fresh = static_cast<double>(usage.prompt - std::min(usage.cached, usage.prompt));
  usage.cost = (fresh * *prices.input + static_cast<double>(usage.cached) * prices.cached.value_or(*prices.input) +
                static_cast<double>(usage.completion) * *prices.output) /
               million;
}

}  // namespace

std::string request_id(const std::string& task, const std::string& backend, int sample, std::size_t turn) {
  return fmt::format("{}.{}.{:03}{}", task, backend, sample, turn == 1 ? "" : fmt::format(".turn{}", turn));
}

std::string prompt_digest(const std::vector<Message>& messages) {
  std::vector<std::string_view> parts;
  for (const Message& message : messages) parts.insert(parts.end(), {message.role, message.content});
  return spec::digest(parts);
}

Plan plan_of(const RunConfig& config, const std::vector<Ask>& asks) {
  Plan plan;
  const int turns = make_strategy(config.strategy)->most_turns();
  for (const Ask& ask : asks) {
    plan.requests += config.samples * turns;
    plan.prompt_bytes += static_cast<std::size_t>(config.samples) * (ask.prompt.size() + config.system.size());
  }
  return plan;
}

struct Run::State {
  RunConfig config;
  std::vector<Ask> asks;
  fs::path folder;
  std::string version;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Journal> requests, answers;
  std::unique_ptr<Journal> verdicts;         ///< of a strategy that judges
  std::set<std::string> logged;              ///< requests by id and prompt
  std::deque<Candidate> left;                ///< to be asked
  std::map<std::string, Candidate> asked;    ///< under way, by request
  std::deque<Candidate> unjudged;            ///< whose last answer is to be judged
  std::map<std::string, Candidate> judging;  ///< by the request that was answered
  std::map<std::pair<std::string, int>, Trajectory> trajectories;
  Judge* judge = nullptr;
  int judged = 0;  ///< by it
  Totals totals;

  std::vector<Message> prompt_of(const Ask& ask) const {
    std::vector<Message> messages;
    if (!config.system.empty()) messages.push_back({"system", config.system});
    messages.push_back({"user", ask.prompt});
    return messages;
  }

  void require_own_folder() const {
    const fs::path run_yaml = folder / "run.yaml";
    if (fs::exists(run_yaml)) {
      const spec::YamlFile file(run_yaml.string(), read_text(run_yaml));
      const YAML::Node identity = file.root()["identity"];
      if (!identity || identity.as<std::string>("") == config_identity(config)) return;
      throw std::runtime_error(
          fmt::format("generate: {} is of another model, sampling or prompt than asked for now. do: name another run, or ask with the "
                      "configuration that "
                      "stands there",
                      run_yaml.string()));
    }
    if (!fs::is_directory(folder)) return;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_directory() && !fs::exists(folder / "answers.jsonl"))
        throw std::runtime_error(
            fmt::format("generate: {} holds candidates that were not generated here. do: name another run", folder.string()));
  }

  std::string id_of(const Candidate& candidate, std::size_t turn) const {
    return request_id(candidate.ask->task, config.backend, candidate.sample, turn);
  }

  /// The answers and verdicts that are kept, and the candidates in them.
  void read_answers() {
    std::map<std::string, const Ask*> by_task;
    for (const Ask& ask : asks) by_task[ask.task] = &ask;
    std::map<std::pair<std::string, int>, std::map<std::size_t, KeptAnswer>> turns;
    answers->each([&](const json& line) {
      const std::string task = text_member(line, "task");
      const std::int64_t sample = whole_member(line, "sample"), turn = whole_member(line, "turn");
      if (!text_member(line, "error").empty() || !by_task.contains(task) || sample < 0 || sample >= kMostSamples || turn < 1) return;
      const Reply reply = reply_of(line);
      add(totals.usage, reply.usage);
      turns[{task, static_cast<int>(sample)}][static_cast<std::size_t>(turn)] = {text_member(line, "prompt"), reply.text,
                                                                                 tokens_of(reply.usage), was_cut_off(reply)};
    });
    std::map<std::string, KeptVerdict> kept;
    if (verdicts)
      verdicts->each([&](const json& line) {
        if (auto judgement = judgement_of(line)) kept[text_member(line, "id")] = {text_member(line, "source"), std::move(*judgement)};
      });
    for (int sample = 0; sample < config.samples; ++sample)
      for (const Ask& ask : asks) take_up({&ask, sample}, turns[{ask.task, sample}], kept);
    totals.before = totals.answered;
  }

  /// Goes on with a candidate where its answers and verdicts end.
  void take_up(Candidate candidate, const std::map<std::size_t, KeptAnswer>& answered, const std::map<std::string, KeptVerdict>& kept) {
    ++totals.wanted;
    while (true) {
      const auto messages = strategy->next(prompt_of(*candidate.ask), candidate.turns);
      if (!messages) return void(finish(candidate, true));
      const auto answer = answered.find(candidate.turns.size() + 1);
      if (answer == answered.end()) return left.push_back(std::move(candidate));
      if (answer->second.prompt != prompt_digest(*messages))
        throw std::runtime_error(
            fmt::format("generate: {}: the prompt of {} was another one when it was asked. do: name another run, or remove {}",
                        (folder / "answers.jsonl").string(), id_of(candidate, answer->first), folder.string()));
      candidate.turns.push_back({answer->second.text, {}, answer->second.tokens});
      if (strategy->is_judged(candidate.turns) && !take_verdict(candidate, answer->second.cut_off, kept))
        return unjudged.push_back(std::move(candidate));
    }
  }

  /// False where the last answer is still to be judged.
  bool take_verdict(Candidate& candidate, bool cut_off, const std::map<std::string, KeptVerdict>& kept) {
    const Answer answer = read_answer(candidate.turns.back().answer, candidate.ask->form);
    const spec::SourceText& source = candidate.turns.back().source = source_of(answer);
    const auto verdict = kept.find(id_of(candidate, candidate.turns.size()));
    if (verdict != kept.end() && verdict->second.source == source.digest()) note_judgement(candidate, verdict->second.judgement);
    else if (const auto known = judgement_without_judge(answer, cut_off)) keep_judgement(candidate, *known);
    else return false;
    return true;
  }

  void note_judgement(Candidate& candidate, const Judgement& judgement) {
    const std::int64_t tokens = tokens_since_judged(candidate.turns);
    candidate.turns.back().judgement = judgement;
    trajectories[{candidate.ask->task, candidate.sample}].push_back({tokens, judgement.right, judgement.speedup});
  }

  /// Of the last turn, and of those before it that nobody judged.
  static std::int64_t tokens_since_judged(const std::vector<Turn>& turns) {
    std::int64_t tokens = turns.back().tokens;
    for (std::size_t turn = turns.size() - 1; turn > 0 && !turns[turn - 1].judgement; --turn) tokens += turns[turn - 1].tokens;
    return tokens;
  }

  void keep_judgement(Candidate& candidate, const Judgement& judgement) {
    note_judgement(candidate, judgement);
    const std::size_t turn = candidate.turns.size();
    json line = {{"id", id_of(candidate, turn)},
                 {"task", candidate.ask->task},
                 {"backend", config.backend},
                 {"sample", candidate.sample},
                 {"turn", turn},
                 {"source", candidate.turns.back().source.digest()}};
    line.update(judgement_json(judgement));
    verdicts->append(line);
  }

  /// The best of the answers is the candidate. Returns why there is none. `again`: it may have been written before.
  std::string finish(const Candidate& candidate, bool again) {
    ++totals.answered;
    const Answer answer = read_answer(candidate.turns[best_turn(candidate.turns)].answer, candidate.ask->form);
    if (!answer.fault.empty()) return answer.fault;
    ++totals.candidates;
    const fs::path base = folder / candidate.ask->task / fmt::format("{:03}", candidate.sample);
    if (!again || (!fs::exists(base) && !fs::exists(base.string() + candidate.ask->form.suffix)))
      write_candidate(answer, folder / candidate.ask->task, candidate.sample, candidate.ask->form);
    return "";
  }

  void open() {
    require_own_folder();
    fs::create_directories(folder);
    answers = std::make_unique<Journal>(folder / "answers.jsonl");
    requests = std::make_unique<Journal>(folder / "requests.jsonl");
    if (strategy->judges()) verdicts = std::make_unique<Journal>(folder / "verdicts.jsonl");
    requests->each([&](const json& line) { logged.insert(text_member(line, "id") + text_member(line, "prompt")); });
    read_answers();
    write_run_yaml();
  }

  void write_run_yaml() const {
    std::vector<std::string> digests;
    for (const Ask& ask : asks) digests.push_back(prompt_digest(prompt_of(ask)));
    std::ranges::sort(digests);
    std::string text = "# By assay generate: what is needed to ask again, and what it took.\n" + config_text(config);
    text += fmt::format("assay: \"{}\"\nidentity: {}\nprompts: {}\n", version, config_identity(config),
                        spec::digest(fmt::format("{}", fmt::join(digests, " "))));
    text += fmt::format("totals:\n  wanted: {}\n  answered: {}\n  candidates: {}\n", totals.wanted, totals.answered, totals.candidates);
    text += fmt::format("  prompt_tokens: {}\n  cached_tokens: {}\n  completion_tokens: {}\n  reasoning_tokens: {}\n", totals.usage.prompt,
                        totals.usage.cached, totals.usage.completion, totals.usage.reasoning);
    if (totals.usage.cost) text += fmt::format("  cost: {:.6f}\n", *totals.usage.cost);
    spec::write_whole_file("generate", folder / "run.yaml", text);
  }

  std::optional<Request> next_request() {
    if (left.empty() || judging.size() >= kMostJudging) return std::nullopt;
    Candidate candidate = std::move(left.front());
    left.pop_front();
    Request request;
    const std::size_t turn = candidate.turns.size() + 1;
    request.id = id_of(candidate, turn);
    request.messages = *strategy->next(prompt_of(*candidate.ask), candidate.turns);
    if (config.seed) request.seed = *config.seed + candidate.sample;
    candidate.prompt = prompt_digest(request.messages);
    if (logged.insert(request.id + candidate.prompt).second) {
      json line = {{"id", request.id}, {"task", candidate.ask->task}, {"backend", config.backend}, {"sample", candidate.sample},
                   {"turn", turn},     {"prompt", candidate.prompt}};
      if (request.seed) line["seed"] = *request.seed;
      line["messages"] = json::array();
      for (const Message& message : request.messages) line["messages"].push_back({{"role", message.role}, {"content", message.content}});
      requests->append(line);
    }
    asked.emplace(request.id, std::move(candidate));
    return request;
  }

  void take(Reply reply, const Events& events) {
    const auto found = asked.find(reply.id);
    if (found == asked.end()) throw std::logic_error("generate: a reply to nothing that was asked");
    Candidate candidate = std::move(found->second);
    asked.erase(found);
    add_cost(reply.usage, config.prices);
    json line = {{"id", reply.id},
                 {"task", candidate.ask->task},
                 {"backend", config.backend},
                 {"sample", candidate.sample},
                 {"turn", candidate.turns.size() + 1},
                 {"prompt", candidate.prompt}};
    line.update(reply_json(reply));
    if (!reply.error.empty()) {
      answers->append(line);
      ++totals.failed;
      return events.say(fmt::format("{}: {}", reply.id, reply.error));
    }
    Answer answer = read_answer(reply.text, candidate.ask->form);
    if (was_cut_off(reply)) answer.notes.push_back("the answer was cut off at its most tokens");
    line["files"] = json::array();
    for (const TakenFile& file : answer.files) line["files"].push_back({{"name", file.name}, {"why", file.why}});
    line["notes"] = answer.notes;
    if (!answer.fault.empty()) line["fault"] = answer.fault;
    answers->append(line);
    add(totals.usage, reply.usage);
    candidate.turns.push_back({reply.text, {}, tokens_of(reply.usage)});
    if (!strategy->is_judged(candidate.turns)) return go_on(std::move(candidate), events);
    candidate.turns.back().source = source_of(answer);
    if (const auto known = judgement_without_judge(answer, was_cut_off(reply))) {
      keep_judgement(candidate, *known);
      return go_on(std::move(candidate), events);
    }
    have_judged(std::move(candidate));
  }

  /// After a turn that was answered, and judged where the strategy judges.
  void go_on(Candidate candidate, const Events& events) {
    if (strategy->next(prompt_of(*candidate.ask), candidate.turns)) return left.push_front(std::move(candidate));
    if (const std::string fault = finish(candidate, false); !fault.empty())
      events.say(fmt::format("{}: no candidate: {}", id_of(candidate, candidate.turns.size()), fault));
  }

  void have_judged(Candidate candidate) {
    const std::string id = id_of(candidate, candidate.turns.size());
    judge->submit({id, candidate.ask->task, candidate.turns.back().source, *strategy->judges()});
    judging.emplace(id, std::move(candidate));
  }

  /// Takes what the judge has found, and hands it more. True where something is being judged, or was.
  bool take_verdicts(const Events& events) {
    if (judge == nullptr) return false;
    const std::vector<Judge::Ended> ended = judge->ended();
    for (const Judge::Ended& each : ended) take(each, events);
    for (; !unjudged.empty() && judging.size() < kMostJudging; unjudged.pop_front()) have_judged(std::move(unjudged.front()));
    totals.judging = static_cast<int>(judging.size());
    return !ended.empty() || !judging.empty();
  }

  void take(const Judge::Ended& ended, const Events& events) {
    const auto found = judging.find(ended.id);
    if (found == judging.end()) throw std::logic_error("generate: a verdict on nothing that was handed in");
    Candidate candidate = std::move(found->second);
    judging.erase(found);
    if (!ended.failure.empty()) {  // is never told to the model: the next call judges the same answer
      ++totals.unjudged;
      return events.say(fmt::format("{}: could not be judged: {}", ended.id, printable(ended.failure)));
    }
    ++judged;
    keep_judgement(candidate, ended.judgement);
    go_on(std::move(candidate), events);
  }

  bool judge_is_broken() const { return judged == 0 && totals.unjudged >= kMostUnjudged; }
};

Run::Run(RunConfig config, std::vector<Ask> asks, fs::path folder, std::string version) : state_(std::make_unique<State>()) {
  state_->strategy = make_strategy(config.strategy);
  state_->config = std::move(config);
  state_->asks = std::move(asks);
  state_->folder = std::move(folder);
  state_->version = std::move(version);
  state_->open();
}

Run::~Run() = default;

int Run::left() const { return static_cast<int>(state_->left.size() + state_->unjudged.size()); }

std::vector<Trajectory> Run::trajectories() const {
  std::vector<Trajectory> all;
  for (const auto& [sample, trajectory] : state_->trajectories) all.push_back(trajectory);
  return all;
}

Totals Run::ask(Model& model, int limit, const Events& events, Judge* judge) {
  State& state = *state_;
  if (state.strategy->judges() && judge == nullptr) throw std::logic_error("generate: the strategy needs a judge");
  state.judge = judge;
  const auto begin = std::chrono::steady_clock::now();
  int asked = 0;
  std::string hopeless;
  const auto round = [&] {
    const bool more = state.take_verdicts(events);
    state.answers->sync();
    if (state.verdicts) state.verdicts->sync();
    state.totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    events.progress(state.totals);
    return more;
  };
  if (!state.unjudged.empty()) round();
  model.ask(
      [&]() -> std::optional<Request> {
        if ((limit > 0 && asked >= limit) || state.judge_is_broken()) return std::nullopt;
        std::optional<Request> request = state.next_request();
        if (request) ++asked;
        return request;
      },
      [&](Reply reply) {
        if (reply.hopeless) hopeless = reply.error;
        else state.take(std::move(reply), events);
        return hopeless.empty();
      },
      round);
  round();
  state.requests->sync();
  state.write_run_yaml();
  state.judge = nullptr;
  if (!hopeless.empty()) throw std::runtime_error("generate: " + hopeless);
  return state.totals;
}

std::string describe_run(const fs::path& run_yaml) try {
  if (!fs::is_regular_file(run_yaml)) return "";
  const std::string text = read_text(run_yaml);
  const RunConfig config = parse_config(text, run_yaml);
  const YAML::Node root = YAML::Load(text);
  std::vector<std::string> said;
  said.push_back(config.sampling.model + (config.endpoint.provider.empty() ? "" : " at " + config.endpoint.provider));
  const Sampling& sampling = config.sampling;
  if (sampling.temperature) said.push_back(fmt::format("temperature {}", *sampling.temperature));
  if (sampling.top_p) said.push_back(fmt::format("top_p {}", *sampling.top_p));
  if (sampling.max_tokens) said.push_back(fmt::format("at most {} tokens", *sampling.max_tokens));
  if (!sampling.effort.empty()) said.push_back("effort " + sampling.effort);
  if (config.strategy != StrategyChoice()) said.push_back(describe(config.strategy));
  if (const YAML::Node prompts = root["prompts"]) said.push_back("prompts " + prompts.as<std::string>("").substr(0, 8));
  if (const YAML::Node totals = root["totals"]; totals && totals.IsMap()) {
    said.push_back(fmt::format("{} tokens", totals["prompt_tokens"].as<std::int64_t>(0) + totals["completion_tokens"].as<std::int64_t>(0)));
    if (totals["cost"]) said.push_back(fmt::format("cost {:.2f}", totals["cost"].as<double>(0)));
  }
  return printable(fmt::format("{}", fmt::join(said, ", ")));
} catch (const std::exception&) {
  return "";
}

}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
// Two queues under one lock. A worker takes the first sample that can be begun: its task's fixture is there or nobody makes it, and no
// equal source is under way. One more thread times what has passed, alone.
#include "assay/score/scorer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "assay/sandbox/processors.h"
#include "assay/spec/digest.h"
#include "assay/spec/nearest.h"
#include "catalogue.h"
#include "child.h"
#include "fixtures.h"
#include "judge.h"
#include "work_folder.h"

namespace assay::score {
namespace {

namespace fs = std::filesystem;
using record::Stage, record::Verdict;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostWaitingBytes = std::size_t{512} << 20;
constexpr double kMachineSeconds = 300;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Job {
  Sample sample;
  const Reward* reward = nullptr;
  Stage last = Stage::test;
  Scorer::Done done;
  Clock::time_point submitted = Clock::now();
  double waited = 0;
  std::shared_ptr<const Fixture> fixture;
  std::unique_ptr<SampleFolder> folder;
  std::string key;  ///< of equal samples; empty: it has none, or wants a verdict of its own
  Judged judged;
  std::string failure;  ///< ours
  bool reused = false;
  std::vector<std::unique_ptr<Job>> followers;  ///< equal samples that wait for this one

  bool is_timed() const { return last == Stage::bench; }
};

/// Verdicts on sources that were judged, the most recent ones.
class Memory {
 public:
  explicit Memory(std::size_t most_bytes) : most_(most_bytes) {}

  const Judged* find(const std::string& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return &found->second->second;
  }
  void keep(const std::string& key, const Judged& judged) {
    if (by_key_.contains(key)) return;
    order_.emplace_front(key, judged);
    by_key_[key] = order_.begin();
    for (bytes_ += size_of(judged); bytes_ > most_; order_.pop_back()) {
      bytes_ -= size_of(order_.back().second);
      by_key_.erase(order_.back().first);
    }
  }

 private:
  static std::size_t size_of(const Judged& judged) {
    std::size_t bytes = judged.diagnostics.size();
    for (const record::Record& record : judged.records) bytes += 2 * sizeof record + record.detail.size();
    return bytes;
  }
  const std::size_t most_;
  std::size_t bytes_ = 0;
  std::list<std::pair<std::string, Judged>> order_;
  std::unordered_map<std::string, std::list<std::pair<std::string, Judged>>::iterator> by_key_;
};

/// Whether the verdict holds for each equal source. What a deadline or a failure of ours cut off does not.
bool is_final(const Judged& judged, const std::string& failure) {
  return failure.empty() && !judged.cut_off && !judged.stopped && !judged.records.empty() &&
         judged.records.back().verdict != Verdict::harness_error;
}

std::vector<int> without(std::vector<int> cpus, const std::vector<int>& taken) {
  std::erase_if(cpus, [&](int cpu) { return std::ranges::find(taken, cpu) != taken.end(); });
  return cpus;
}

/// Those that this process may use.
std::vector<int> own_cpus() {
  const sandbox::Processors split = sandbox::processors();
  std::vector<int> all = split.boxes;
  if (std::ranges::find(all, split.judge) == all.end()) all.insert(all.begin(), split.judge);
  return all;
}

/// Where all but timings run; empty for anywhere.
std::vector<int> light_cpus(const ScorerOptions& options) {
  if (options.bench_cpus.empty()) return {};
  const std::vector<int> own = own_cpus(), rest = without(own, options.bench_cpus);
  if (without(options.bench_cpus, own).empty() && !rest.empty()) return rest;
  throw std::runtime_error(
      fmt::format("score: processors {} cannot be set aside for timings: this process may use {}. do: leave one of "
                  "them to compile and test",
                  fmt::join(options.bench_cpus, ","), fmt::join(own, ",")));
}

std::vector<TaskInfo> tasks_of(const Catalogue& catalogue) {
  std::vector<TaskInfo> all;
  for (const auto& [name, task] : catalogue.tasks()) all.push_back(task);
  return all;
}

Fixtures::Options fixture_options(const ScorerOptions& options, const fs::path& root, const fs::path& work) {
  return {options.judge, work / "tasks", root / "cases.jsonl", options.seed, options.effort, options.most_uses, light_cpus(options)};
}

}  // namespace

struct Scorer::State {
  explicit State(ScorerOptions given)
      : options(std::move(given)),
        catalogue(options.build),
        work(catalogue.build() / "score"),
        fixtures(catalogue, fixture_options(options, catalogue.build() / "score", work.path())),
        light(options.judge, light_cpus(options)),
        heavy(options.judge, options.bench_cpus),
        memory(options.kept_bytes) {
    adopt_orphans();
    for (int i = 0; i < std::max(1, options.jobs); ++i) threads.emplace_back([this] { work_on(&State::take, &State::judge); });
    threads.emplace_back([this] { work_on(&State::take_timing, &State::time); });
  }

  // --- what is asked ---

  Job job_of(Sample sample) const {
    catalogue.require(sample.task, sample.backend);
    Job job;
    const std::string& name = sample.reward.empty() ? options.reward : sample.reward;
    job.reward = find_reward(name);
    if (job.reward == nullptr) {
      std::vector<std::string> known;
      for (const Reward& reward : all_rewards()) known.emplace_back(reward.name);
      throw SampleError(
          fmt::format("sample: unknown reward '{}'{}. known: {}", name, spec::did_you_mean(name, known), fmt::join(known, " ")));
    }
    job.last = sample.last.value_or(job.reward->reads_speed ? Stage::bench : Stage::test);
    if (job.reward->reads_speed && job.last != Stage::bench)
      throw SampleError(fmt::format("sample: the reward {} needs the stage bench. do: leave out stages, or choose another reward", name));
    job.sample = std::move(sample);
    return job;
  }

  void submit(std::vector<Sample> samples, const Done& done) {
    std::vector<std::unique_ptr<Job>> jobs;
    for (Sample& sample : samples) {
      jobs.push_back(std::make_unique<Job>(job_of(std::move(sample))));
      jobs.back()->done = done;
    }
    std::size_t bytes = 0;
    for (const auto& job : jobs) bytes += job->sample.source.bytes();
    const std::lock_guard lock(mutex);
    if (stopping) throw QueueFull("score: is stopping");
    if (unanswered_bytes + bytes > kMostWaitingBytes)
      throw QueueFull(fmt::format("score: sources of {} MiB wait already", unanswered_bytes >> 20));
    if (waiting.size() + timings.size() + jobs.size() > options.most_waiting)
      throw QueueFull(fmt::format("score: {} samples wait already, {} more would be above the limit of {}", waiting.size() + timings.size(),
                                  jobs.size(), options.most_waiting));
    unanswered += jobs.size();
    unanswered_bytes += bytes;
    for (auto& job : jobs) waiting.push_back(std::move(job));
    changed.notify_all();
  }

  // --- the workers ---

  using Take = std::unique_ptr<Job> (State::*)();
  using Work = void (State::*)(std::unique_ptr<Job>);

  void work_on(Take next, Work act) {
    while (std::unique_ptr<Job> job = (this->*next)()) (this->*act)(std::move(job));
  }

  /// Nothing but a timing runs while one does. One that waits lets in as many others as there are workers, then it is its turn.
  bool may_begin() const { return !options.bench_cpus.empty() || (!timing && (!timing_waits || let_in > 0)); }

  std::unique_ptr<Job> take() {
    std::unique_lock lock(mutex);
    while (true) {
      if (stopping) return nullptr;
      if (may_begin()) {
        const auto next = std::ranges::find_if(waiting, [&](const auto& job) { return !busy.contains(job->sample.task); });
        if (next != waiting.end()) {
          std::unique_ptr<Job> job = std::move(*next);
          waiting.erase(next);
          if (timing_waits && let_in > 0) --let_in;
          ++running;
          return job;
        }
      }
      changed.wait(lock);
    }
  }

  std::unique_ptr<Job> take_timing() {
    std::unique_lock lock(mutex);
    while (true) {
      // Boxes die a moment after the judge that was killed: orphans come late.
      while (!changed.wait_for(lock, std::chrono::seconds(1), [&] { return stopping || !timings.empty(); })) bury_orphans();
      if (stopping) return nullptr;
      timing_waits = true;
      let_in = waiting.empty() || timed_last == 0 ? 0 : static_cast<std::size_t>(std::max(1, options.jobs));
      timed_last = 1;
      changed.notify_all();
      changed.wait(lock, [&] { return stopping || !options.bench_cpus.empty() || (running == 0 && (let_in == 0 || waiting.empty())); });
      timing_waits = false;
      if (stopping) return nullptr;
      std::unique_ptr<Job> job = std::move(timings.front());
      timings.pop_front();
      timing = true;
      return job;
    }
  }

  /// Compile and test; ends with the answer, or with the sample among those that are to be timed.
  void judge(std::unique_ptr<Job> job) {
    job->waited = seconds_since(job->submitted);
    try {
      if (!prepare(*job)) return wait_again(std::move(job));
      if (options.reuse && job->sample.reuse && !settle_by_equals(job)) return;
      if (!job->reused) judge_stages(*job);
    } catch (const std::exception& error) {
      job->failure = error.what();
    }
    if (job->is_timed() && job->failure.empty() && job->judged.passed() && job->judged.records.back().stage == Stage::test) {
      const std::lock_guard lock(mutex);
      --running;
      timings.push_back(std::move(job));
      changed.notify_all();
      return;
    }
    finish(std::move(job));
    const std::lock_guard lock(mutex);
    --running;
    changed.notify_all();
  }

  /// False where another worker has begun to make the fixture in between.
  bool prepare(Job& job) {
    const std::string &task = job.sample.task, &backend = job.sample.backend;
    if ((job.fixture = fixtures.use(task, backend)) != nullptr) return true;
    {
      const std::lock_guard lock(mutex);
      if (!busy.insert(task).second) return false;
    }
    std::string failure;
    try {
      fixtures.make(task, backend, stop_sign);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    {
      const std::lock_guard lock(mutex);
      busy.erase(task);
      changed.notify_all();
    }
    if (!failure.empty()) throw std::runtime_error(failure);
    return (job.fixture = fixtures.use(task, backend)) != nullptr;
  }

  void wait_again(std::unique_ptr<Job> job) {
    const std::lock_guard lock(mutex);
    --running;
    waiting.push_front(std::move(job));
    changed.notify_all();
  }

  /// Takes the verdict on an equal source, or waits for one that is under way; then false, and the job is gone. A timing is nobody else's:
  /// of a sample that is to be timed only a failure before that is taken.
  bool settle_by_equals(std::unique_ptr<Job>& job) {
    const Sample& sample = job->sample;
    const std::string stages = job->last == Stage::compile ? "compile" : "test", source = sample.source.digest();
    job->key = spec::digest(std::vector<std::string_view>{job->fixture->basis, sample.task, sample.backend, stages, source});
    const std::lock_guard lock(mutex);
    if (const Judged* known = memory.find(job->key); known != nullptr && (!job->is_timed() || !known->passed())) {
      job->judged = *known;
      job->judged.seconds = 0;
      job->reused = true;
      return true;
    }
    if (job->is_timed()) return true;
    const auto [equal, is_first] = under_way.emplace(job->key, job.get());
    if (is_first) return true;
    --running;
    equal->second->followers.push_back(std::move(job));
    changed.notify_all();
    return false;
  }

  bool has_idle_worker() const {
    const std::lock_guard lock(mutex);
    return waiting.empty() && running < static_cast<std::size_t>(options.jobs);
  }

  void judge_stages(Job& job) {
    const double deadline = job.sample.deadline_seconds.value_or(options.deadline_seconds);
    job.folder = std::make_unique<SampleFolder>(work.path() / "samples" / std::to_string(++folders), job.sample, job.fixture->suffix);
    std::unique_ptr<Child> expected;
    if (job.last != Stage::compile && has_idle_worker()) expected = light.expect_test(*job.fixture, *job.folder);
    light.compile(*job.fixture, *job.folder, deadline, stop_sign, job.judged);
    count(Stage::compile, job.judged.seconds);
    if (!job.judged.passed() || job.last == Stage::compile) return;
    const double before = job.judged.seconds;
    light.run(Stage::test, *job.fixture, *job.folder, deadline, stop_sign, job.judged, std::move(expected));
    count(Stage::test, job.judged.seconds - before);
  }

  void time(std::unique_ptr<Job> job) {
    try {
      measure_machine();
      fixtures.make_timing(*job->fixture, stop_sign);
      const double before = job->judged.seconds;
      heavy.run(Stage::bench, *job->fixture, *job->folder, job->sample.deadline_seconds.value_or(options.deadline_seconds), stop_sign,
                job->judged);
      count(Stage::bench, job->judged.seconds - before);
    } catch (const std::exception& error) {
      job->failure = error.what();
    }
    finish(std::move(job));
    const std::lock_guard lock(mutex);
    timing = false;
    changed.notify_all();
  }

  /// The peaks that rooflines and SUSPECT_FAST are told by; once, and alone.
  void measure_machine() {
    const fs::path file = work.path() / "tasks" / "machine.json";
    if (fs::exists(file)) return;
    const EndedChild ended =
        run_child({{options.judge.string(), "machine", "--out", file.string()}, {}, kMachineSeconds, options.bench_cpus}, stop_sign);
    if (!ended.exited() || ended.status != 0)
      throw std::runtime_error(fmt::format("`assay-judge machine` ended with {}: {}", ended.how(), ended.output.substr(0, 300)));
  }

  // --- what is answered ---

  Answer answer_of(const Job& job) const {
    Answer answer{job.sample.id,
                  job.sample.task,
                  job.sample.backend,
                  job.judged.records,
                  job.judged.diagnostics,
                  std::string(job.reward->name),
                  {},
                  "",
                  "",
                  job.reused,
                  job.waited,
                  job.judged.seconds};
    if (job.fixture != nullptr) answer.cases = job.fixture->cases->name();
    if (!job.failure.empty() || job.judged.stopped || job.judged.records.empty()) {
      answer.records.clear();
      answer.masked = "HARNESS_ERROR: " + (job.failure.empty() ? std::string("the judge was stopped") : job.failure);
      return answer;
    }
    const Found found = findings_of(job.judged.records);
    answer.masked = !found.masked.empty() ? found.masked : job.reward->reads_speed ? found.masked_speed : "";
    if (!answer.masked.empty()) return answer;
    answer.reward = job.reward->of(found.findings);
    if (std::isfinite(answer.reward->value)) return answer;
    answer.reward.reset();
    answer.masked = "HARNESS_ERROR: the reward is no number";
    return answer;
  }

  void finish(std::unique_ptr<Job> job) {
    job->folder.reset();
    const bool final = is_final(job->judged, job->failure);
    std::vector<std::unique_ptr<Job>> followers;
    {
      const std::lock_guard lock(mutex);
      if (const auto own = under_way.find(job->key); own != under_way.end() && own->second == job.get()) under_way.erase(own);
      followers = std::move(job->followers);
      if (final && !job->key.empty() && !job->reused && job->judged.records.back().stage != Stage::bench)
        memory.keep(job->key, job->judged);
      if (!final)  // each on its own
        for (auto& follower : followers) waiting.push_front(std::move(follower));
    }
    for (auto& follower : followers) {
      if (follower == nullptr) continue;  // it waits again
      follower->judged = job->judged;
      follower->judged.seconds = 0;
      follower->reused = true;
      follower->waited = seconds_since(follower->submitted);
      tell(*follower);
    }
    tell(*job);
  }

  void tell(const Job& job) {
    Answer answer = answer_of(job);
    {
      const std::lock_guard lock(mutex);
      ++statistics.verdicts[std::string(record::name(answer.verdict()))];
      statistics.masked += answer.reward ? 0 : 1;
      statistics.reused += answer.reused ? 1 : 0;
    }
    job.done(std::move(answer));
    const std::lock_guard lock(mutex);
    --unanswered;
    unanswered_bytes -= job.sample.source.bytes();
    changed.notify_all();
  }

  void count(Stage stage, double seconds) {
    const std::lock_guard lock(mutex);
    StageCount& of = statistics.stages[static_cast<std::size_t>(stage)];
    ++of.count;
    of.seconds += seconds;
  }

  void stop() {
    std::deque<std::unique_ptr<Job>> left;
    {
      const std::lock_guard lock(mutex);
      if (stopping) return;
      stopping = true;
      stop_sign.raise();
      changed.notify_all();
    }
    for (std::thread& thread : threads) thread.join();
    {
      const std::lock_guard lock(mutex);
      left = std::move(waiting);
      for (auto& job : timings) left.push_back(std::move(job));
      timings.clear();
    }
    for (auto& job : left) {
      job->judged.stopped = true;
      job->folder.reset();
      tell(*job);
    }
  }

  const ScorerOptions options;
  const Catalogue catalogue;
  const WorkFolder work;
  StopSign stop_sign;
  Fixtures fixtures;
  const Judge light, heavy;
  std::atomic<std::uint64_t> folders = 0;

  mutable std::mutex mutex;  ///< of all that follows
  std::condition_variable changed;
  std::deque<std::unique_ptr<Job>> waiting;  ///< to be compiled
  std::deque<std::unique_ptr<Job>> timings;  ///< have passed, to be timed
  std::set<std::string> busy;                ///< tasks whose fixture is being made
  std::map<std::string, Job*> under_way;     ///< by key
  Memory memory;
  std::size_t running = 0, unanswered = 0, unanswered_bytes = 0;
  bool timing = false, timing_waits = false, stopping = false;
  std::size_t let_in = 0, timed_last = 0;
  Statistics statistics;
  std::vector<std::thread> threads;  ///< workers, and the one that times
};

Scorer::Scorer(ScorerOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Scorer::~Scorer() { state_->stop(); }

std::vector<TaskInfo> Scorer::tasks() const { return tasks_of(state_->catalogue); }

std::vector<TaskInfo> listed_tasks(const fs::path& build) { return tasks_of(Catalogue(build)); }

void Scorer::require_known(const Sample& sample) const { state_->job_of(sample); }

void Scorer::submit(std::vector<Sample> samples, const Done& done) { state_->submit(std::move(samples), done); }

void Scorer::wait_until_idle() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->unanswered == 0; });
}

void Scorer::stop() { state_->stop(); }

Statistics Scorer::statistics() const {
  const std::lock_guard lock(state_->mutex);
  Statistics now = state_->statistics;
  now.waiting = state_->waiting.size() + state_->timings.size();
  now.running = state_->running + (state_->timing ? 1 : 0);
  return now;
}

}  // namespace assay::score

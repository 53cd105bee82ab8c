// SPDX-License-Identifier: Apache-2.0
// Boxes without processes, for tests of who is called when: their kernel is ReLU, and a test says what happens to them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "assay/trial/trial.h"

namespace assay::timing {

class FakeBox;

/// What was done to all boxes of a test, and how they behave. A name is who and what: "candidate kernel".
struct Scene {
  std::vector<std::string> events;
  std::map<std::string, std::chrono::nanoseconds> takes;  ///< a call; 1 us unless said
  std::map<std::string, std::chrono::nanoseconds> cpu;    ///< of each box, by its name
  std::map<std::string, std::chrono::nanoseconds> device_takes;
  std::map<std::string, std::size_t> batches;  ///< of each box that makes some
  std::set<std::string> damaged;               ///< boxes whose fences are
  std::set<std::string> gone;                  ///< boxes whose process has ended
  std::set<std::uint32_t> patterns;
  std::vector<std::pair<std::string, int>> begins;
  std::vector<std::pair<std::string, std::thread::id>> laid_out_by;
  std::function<void(FakeBox&, const std::string&)> watch = [](FakeBox&, const std::string&) {};  ///< told of an event as it begins

  /// How often it has happened.
  std::ptrdiff_t count(const std::string& event) const { return std::ranges::count(events, event); }
  std::mutex mutex;
};

class FakeBox : public trial::Box {
 public:
  FakeBox(Scene& scene, const trial::BoxProgram& program)
      : Box(program), scene_(scene), who_(program.seals && program.ours ? "sealing" : program.argv.front()) {
    say("open");
  }
  ~FakeBox() override { say("close"); }

  /// The first word of its program, or "sealing" where it seals without a candidate.
  const std::string& who() const { return who_; }
  /// The next call ends without a result, and nobody says why.
  void fall_silent() { silent_ = true; }
  /// From now on every result is off by `much`.
  void err_by(float much) { error_ = much; }

  void set_layout(const std::vector<std::size_t>& inputs, const std::vector<std::size_t>& outputs, const std::vector<std::size_t>&,
                  const std::vector<std::int64_t>&) override {
    {
      const std::lock_guard lock(scene_.mutex);
      scene_.laid_out_by.emplace_back(who(), std::this_thread::get_id());
    }
    say("layout");
    resize(inputs_, inputs), resize(outputs_, outputs);
  }
  void set_in_place(std::size_t, std::size_t) override {}
  void set_launches(const std::vector<wire::Launch>&) override {}
  std::span<std::byte> input(std::size_t i) override {
    touched_ += fmt::format("i{}", i);
    return inputs_.at(i);
  }
  std::span<const std::byte> output(std::size_t i) const override {
    touched_ += fmt::format("o{}", i);
    return outputs_.at(i);
  }

  void poison(trial::Poison /*kind*/, std::uint32_t number) override {
    say("poison");
    {
      const std::lock_guard lock(scene_.mutex);
      scene_.patterns.insert(number);
    }
    for (cases::Bytes& output : outputs_) std::ranges::fill(output, std::byte{0xff});  // a NaN
    touched_.clear();
  }

  std::optional<std::chrono::nanoseconds> call(wire::CallKind kind, std::chrono::milliseconds limit) override {
    const std::string what = name_of(kind);
    watched_ = kind == wire::CallKind::watch;
    limits_.push_back(limit);
    if (kind == wire::CallKind::kernel && !touched_.empty()) say("flush " + touched_);
    say(what);
    if (failure_ || silent_) return {};
    if (kind == wire::CallKind::kernel) {
      if (program().transfers) run(device_inputs_, device_outputs_);
      else run(inputs_, outputs_);
    }
    return time_of(what);
  }

  void upload() override {
    if (!program().transfers) return;
    say("upload");
    device_inputs_ = inputs_, device_outputs_ = outputs_;
  }
  void download() override {
    if (!program().transfers) return;
    say("download");
    outputs_ = device_outputs_;
  }

  std::size_t batches() const override { return scene_.batches.contains(who()) ? scene_.batches.at(who()) : 0; }
  void stow(std::size_t set) override {
    say("stow " + std::to_string(set));
    sets_[set] = {inputs_, outputs_};
  }
  void fetch(std::size_t set) override {
    say("fetch " + std::to_string(set));
    outputs_ = sets_.at(set).second;
  }
  std::optional<std::chrono::nanoseconds> batch(wire::CallKind kind, std::size_t sets, std::chrono::milliseconds limit) override {
    const std::string what = kind == wire::CallKind::batch ? "batch" : "empty batch";
    limits_.push_back(limit);
    say(what);
    if (failure_ || silent_) return {};
    for (std::size_t set = 0; set < sets; ++set) {
      if (kind == wire::CallKind::batch) run(sets_.at(set).first, sets_.at(set).second);
      last_[set] = time_on_device(kind == wire::CallKind::batch ? "kernel" : "nothing");
    }
    return time_of(what);
  }
  std::vector<std::chrono::nanoseconds> device_times(std::size_t sets) const override {
    std::vector<std::chrono::nanoseconds> times;
    for (std::size_t set = 0; set < sets; ++set) times.push_back(last_.at(set));
    return times;
  }
  std::chrono::nanoseconds device_time() const override { return time_on_device(watched_ ? "watch" : "kernel"); }
  void begin_on(int cpu) override { scene_.begins.emplace_back(who(), cpu); }
  std::optional<std::chrono::nanoseconds> cpu_time() const override {
    if (scene_.gone.contains(who())) return {};
    const auto at = scene_.cpu.find(who());
    return at == scene_.cpu.end() ? std::chrono::nanoseconds{0} : at->second;
  }
  std::optional<trial::Failure> damaged_fence() const override {
    if (!scene_.damaged.contains(who())) return {};
    return trial::Failure{record::Verdict::out_of_bounds, "a fence"};
  }
  const std::vector<std::chrono::milliseconds>& limits() const { return limits_; }

 private:
  using Buffers = std::vector<cases::Bytes>;

  static std::string name_of(wire::CallKind kind) {
    switch (kind) {
      case wire::CallKind::kernel: return "kernel";
      case wire::CallKind::sealing: return "seal";
      case wire::CallKind::touch: return "touch";
      case wire::CallKind::watch: return "watch";
      default: return "empty";
    }
  }

  static void resize(Buffers& buffers, const std::vector<std::size_t>& bytes) {
    buffers.resize(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) buffers[i].resize(bytes[i]);
  }

  void say(const std::string& what) {
    const std::string event = who() + " " + what;
    const std::lock_guard lock(scene_.mutex);
    scene_.watch(*this, event);
    scene_.events.push_back(event);
  }

  void run(const Buffers& inputs, Buffers& outputs) const {
    for (std::size_t at = 0; at + sizeof(float) <= outputs.at(0).size(); at += sizeof(float)) {
      float x;
      std::memcpy(&x, inputs.at(0).data() + at, sizeof x);
      x = (x > 0 || std::isnan(x) ? x : 0) + error_;
      std::memcpy(outputs[0].data() + at, &x, sizeof x);
    }
  }

  std::chrono::nanoseconds time_of(const std::string& what) const {
    const auto at = scene_.takes.find(who() + " " + what);
    return at == scene_.takes.end() ? std::chrono::microseconds(1) : at->second;
  }
  std::chrono::nanoseconds time_on_device(const std::string& what) const {
    const auto at = scene_.device_takes.find(who() + " " + what);
    return at == scene_.device_takes.end() ? std::chrono::nanoseconds(0) : at->second;
  }

  Scene& scene_;
  std::string who_;
  Buffers inputs_, outputs_, device_inputs_, device_outputs_;
  std::map<std::size_t, std::pair<Buffers, Buffers>> sets_;
  std::map<std::size_t, std::chrono::nanoseconds> last_;
  std::vector<std::chrono::milliseconds> limits_;
  mutable std::string touched_;  ///< buffers asked for since they were poisoned
  bool silent_ = false;
  bool watched_ = false;  ///< in its last call
  float error_ = 0;
};

inline trial::BoxProgram named(const std::string& name) {
  trial::BoxProgram program;
  program.argv = {name};
  return program;
}

}  // namespace assay::timing

// SPDX-License-Identifier: Apache-2.0
// The judge's clock against a direct in-process loop: the same library, the same inputs, the same processor, in turn.
// usage: clock_benchmark <calls> <plan.json> <library.so> [<plan.json> <library.so> ...]
// Prints, for each kernel, the median of each and the median ratio; exit 1 where a kernel of 1 ms or more is off by over 2 %.
#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

#include "assay/judge/machine.h"
#include "assay/judge/timing.h"
#include "trial.h"

namespace {

using namespace assay;
using Kernel = void (*)(void* const*, const std::int64_t*);
using Clock = std::chrono::steady_clock;

void pin(pthread_t thread, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(thread, sizeof set, &set);
}

/// Runs the kernel in a thread of this process, on the boxes' processor, and takes the time there.
class DirectLoop {
 public:
  DirectLoop(const std::filesystem::path& library, int cpu) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    kernel_ = reinterpret_cast<Kernel>(dlsym(handle, "assay_call"));
    thread_ = std::thread([this] { serve(); });
    pin(thread_.native_handle(), cpu);
  }
  ~DirectLoop() {
    state_ = kQuit;
    thread_.join();
  }
  double seconds(void* const* tensors, const std::int64_t* dims) {
    tensors_ = tensors;
    dims_ = dims;
    state_ = kGo;
    while (state_ != kIdle) {}
    return seconds_;
  }

 private:
  enum State { kIdle, kGo, kQuit };
  void serve() {
    while (true) {
      while (state_ == kIdle) std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (state_ == kQuit) return;
      const auto begin = Clock::now();
      kernel_(tensors_, dims_);
      seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
      state_ = kIdle;
    }
  }
  Kernel kernel_;
  std::atomic<State> state_{kIdle};
  void* const* tensors_ = nullptr;
  const std::int64_t* dims_ = nullptr;
  double seconds_ = 0;
  std::thread thread_;
};

struct Line {
  double judge, direct, ratio;
};

double seconds_of(Box& box, wire::CallKind kind) {
  const auto time = box.call(kind, std::chrono::milliseconds(20000));
  if (!time) throw std::runtime_error(box.failure()->detail);
  return std::chrono::duration<double>(*time).count();
}

Line compare_clocks(const Plan& plan, const std::filesystem::path& library, int calls) {
  const Processors cpus = processors();
  const Task task = load_task(plan.task_yaml);
  const auto& dims = task.timing.at("cpu");
  PreparedCase prepared = prepare_case(task, "clock", dims, draw_inputs(task, {}, dims, 1, "clock"), {});
  BoxProgram program = candidate_program(plan, {"clock", 0, {}, library.parent_path() / library.stem()});
  program.timing = true;
  program.cpus = cpus.boxes;
  const auto box = open_box(program, std::span(&prepared, 1));
  DirectLoop direct(library, cpus.boxes.front());
  std::vector<std::vector<std::byte>> buffers;
  for (const Bytes& input : prepared.inputs) buffers.push_back(input);
  for (const ExpectedTensor& output : prepared.outputs) buffers.emplace_back(output.bytes());
  std::vector<void*> tensors;
  for (auto& buffer : buffers) tensors.push_back(buffer.data());
  std::vector<double> judged, looped, ratios, empty;
  for (int i = -3; i < calls; ++i) {
    prepared.inputs = draw_inputs(task, {}, dims, static_cast<std::uint64_t>(i + 10), "clock");
    load_case(*box, prepared);
    box->poison(static_cast<std::uint32_t>(i));
    seconds_of(*box, wire::CallKind::empty);
    const double overhead = seconds_of(*box, wire::CallKind::empty);
    const double call = seconds_of(*box, wire::CallKind::kernel);
    for (std::size_t b = 0; b < prepared.inputs.size(); ++b) std::ranges::copy(prepared.inputs[b], buffers[b].begin());
    for (std::size_t b = prepared.inputs.size(); b < buffers.size(); ++b) std::memset(buffers[b].data(), i & 0xff, buffers[b].size());
    const double loop = direct.seconds(tensors.data(), prepared.dim_values.data());
    if (i < 0) continue;
    empty.push_back(overhead);
    judged.push_back(call);
    looped.push_back(loop);
  }
  const double overhead = median(empty);
  for (std::size_t i = 0; i < judged.size(); ++i) ratios.push_back((judged[i] -= overhead) / looped[i]);
  return {median(judged), median(looped), median(ratios)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc % 2 != 0) {
    fmt::print(stderr, "usage: clock_benchmark <calls> <plan.json> <library.so> ...\n");
    return 2;
  }
  const int calls = std::stoi(argv[1]);
  pin(pthread_self(), processors().judge);
  bool good = true;
  fmt::print("{:<48} {:>12} {:>12} {:>8}\n", "kernel", "judge us", "direct us", "ratio");
  for (int i = 2; i < argc; i += 2) {
    const Plan plan = load_plan(argv[i]);
    const Line line = compare_clocks(plan, argv[i + 1], calls);
    fmt::print("{:<48} {:>12.1f} {:>12.1f} {:>8.4f}\n", plan.task, line.judge * 1e6, line.direct * 1e6, line.ratio);
    std::fflush(stdout);
    if (line.direct >= 1e-3) good = good && std::abs(line.ratio - 1) <= 0.02;
  }
  return good ? 0 : 1;
}

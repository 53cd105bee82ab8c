// SPDX-License-Identifier: Apache-2.0
// The judge's clock against a direct in-process loop: the same library, the same inputs, the same processors,
// in turn. usage: clock_benchmark <launches> <calls of each> <threads> <plan.json> <library.so> [<plan.json>
// <library.so> ...] Both sides have as many OpenMP threads; 0 is as many as a candidate has that is timed. A launch is a
// fresh box and a fresh process for the loop, so that both sides draw their pages anew; it gives the median ratio over its calls.
// Prints, for each kernel, the medians of both times and the geometric mean of the launches' ratios with its 95 % interval; exit 1
// where a kernel of one thread and of 1 ms or more is off by over 2 %, or where none takes that long.
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>
#include <utility>

#include "assay/cases/inputs.h"
#include "assay/sandbox/processors.h"
#include "assay/timing/timing.h"
#include "assay/trial/trial.h"

namespace {

using namespace assay;
using Kernel = void (*)(void* const*, const std::int64_t*, void*);
using Clock = std::chrono::steady_clock;

void pin(pthread_t thread, std::span<const int> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  pthread_setaffinity_np(thread, sizeof set, &set);
}

/// Runs the kernel in a thread of this process, on the boxes' processors, and takes the time there.
class DirectLoop {
 public:
  DirectLoop(const std::filesystem::path& library, std::span<const int> cpus, int threads) {
    setenv("OMP_NUM_THREADS", fmt::format("{}", threads).c_str(), 1);  // before the library brings OpenMP

    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    kernel_ = reinterpret_cast<Kernel>(dlsym(handle, "assay_call"));
    thread_ = std::thread([this] { serve(); });
    pin(thread_.native_handle(), cpus);
  }
  ~DirectLoop() {
    state_ = kQuit;
    state_.notify_one();
    thread_.join();
  }
  double seconds(void* const* tensors, const std::int64_t* dims) {
    tensors_ = tensors;
    dims_ = dims;
    state_ = kGo;
    state_.notify_one();
    while (state_ != kIdle) {
    }
    return seconds_;
  }

 private:
  enum State { kIdle, kGo, kQuit };
  void serve() {
    while (true) {
      state_.wait(kIdle);  // asleep: it must not take the processor from the box
      if (state_ == kQuit) return;
      const auto begin = Clock::now();
      kernel_(tensors_, dims_, nullptr);
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

struct Launch {
  double judge, direct, ratio;
};

double seconds_of(trial::Box& box, wire::CallKind kind) {
  const auto time = box.call(kind, std::chrono::milliseconds(20000));
  if (!time) throw std::runtime_error(box.failure()->detail);
  return std::chrono::duration<double>(*time).count();
}

/// Memory of the kind that a box has, a memory file's 4 KiB pages: huge pages would time the kernel on
/// another machine.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes), mapped_((bytes + 2 * wire::kPage - 1) / wire::kPage * wire::kPage) {
    const int fd = memfd_create("buffer", MFD_CLOEXEC);
    if (ftruncate(fd, static_cast<off_t>(mapped_)) != 0) throw std::runtime_error("no memory file");
    memory_ = static_cast<std::byte*>(mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0));
    close(fd);
  }
  Buffer(Buffer&& other) noexcept : bytes_(other.bytes_), mapped_(other.mapped_), memory_(std::exchange(other.memory_, nullptr)) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() {
    if (memory_ != nullptr) munmap(memory_, mapped_);
  }
  /// The last byte lies at a page's end, up to alignment.
  std::byte* data() { return memory_ + (mapped_ - (bytes_ + 63) / 64 * 64); }
  std::size_t size() const { return bytes_; }

 private:
  std::size_t bytes_, mapped_;
  std::byte* memory_;
};

template <class A, class B>
void in_random_order(cases::RandomStream& random, A&& a, B&& b) {
  const bool swapped = random.below(2) == 1;
  if (swapped) b();
  a();
  if (!swapped) b();
}

/// Median ratio over the calls of one launch.
Launch run_launch(const plan::Plan& plan, const std::filesystem::path& library, const sandbox::Processors& cpus, int calls, int threads) {
  const spec::Task task = spec::load_task(plan.task.task_yaml);
  const auto dims = cases::draw_timing_shapes(task, "cpu", 1).at(0);
  cases::PreparedCase prepared = cases::prepare_case(task, "clock", dims, cases::draw_inputs(task, {}, dims, 1, "clock"), {});
  trial::BoxProgram program =
      trial::candidate_program(plan, {"clock", 0, {}, library.parent_path() / library.stem()}, {}, threads, std::chrono::seconds(600));
  program.timing = true;
  program.cpus = threads == 1 ? std::vector{cpus.boxes.front()} : cpus.boxes;
  const auto box = trial::open_box(program, std::span(&prepared, 1));
  DirectLoop direct(library, program.cpus, threads);
  std::vector<Buffer> buffers;
  for (const cases::Bytes& input : prepared.inputs) buffers.emplace_back(input.size());
  for (const cases::ExpectedTensor& output : prepared.outputs) buffers.emplace_back(output.bytes());
  std::vector<void*> tensors;
  for (auto& buffer : buffers) tensors.push_back(buffer.data());
  cases::RandomStream order(cases::fresh_seed(), {"order"});
  std::vector<double> judged, looped, ratios, empty;
  for (int i = -3; i < calls; ++i) {
    prepared.inputs = cases::draw_inputs(task, {}, dims, static_cast<std::uint64_t>(i + 10), "clock");
    const auto fill_box = [&] {
      trial::load_case(*box, prepared);
      box->poison(trial::Poison::nan, static_cast<std::uint32_t>(i));
    };
    const auto fill_buffers = [&] {
      for (std::size_t b = 0; b < prepared.inputs.size(); ++b) std::ranges::copy(prepared.inputs[b], buffers[b].data());
      for (std::size_t b = prepared.inputs.size(); b < buffers.size(); ++b) std::memset(buffers[b].data(), i & 0xff, buffers[b].size());
    };
    double call = 0, loop = 0, overhead = 0;
    const auto time_box = [&] {
      seconds_of(*box, wire::CallKind::empty);
      overhead = seconds_of(*box, wire::CallKind::empty);
      call = seconds_of(*box, wire::CallKind::kernel);
    };
    const auto time_loop = [&] { loop = direct.seconds(tensors.data(), prepared.dim_values.data()); };
    // Both are filled before either is timed: what was written last is still in the caches.
    in_random_order(order, fill_box, fill_buffers);
    in_random_order(order, time_box, time_loop);
    if (i < 0) continue;
    empty.push_back(overhead);
    judged.push_back(call);
    looped.push_back(loop);
  }
  const double overhead = timing::median(empty);
  for (std::size_t i = 0; i < judged.size(); ++i) ratios.push_back((judged[i] -= overhead) / looped[i]);
  return {timing::median(judged), timing::median(looped), timing::median(ratios)};
}

/// A launch in a child process, whose memory dies with it.
Launch fresh_launch(const plan::Plan& plan, const std::filesystem::path& library, const sandbox::Processors& cpus, int calls, int threads) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    try {
      const Launch launch = run_launch(plan, library, cpus, calls, threads);
      _exit(write(ends[1], &launch, sizeof launch) == sizeof launch ? 0 : 1);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}: {}\n", plan.task.name, error.what());
      _exit(1);
    }
  }
  close(ends[1]);
  Launch launch{};
  const bool whole = read(ends[0], &launch, sizeof launch) == sizeof launch;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!whole) throw std::runtime_error(plan.task.name + ": a launch failed");
  return launch;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 6 || argc % 2 != 0) {
    fmt::print(stderr, "usage: clock_benchmark <launches> <calls> <threads> <plan.json> <library.so> ...\n");
    return 2;
  }
  const int launches = std::stoi(argv[1]), calls = std::stoi(argv[2]);
  const sandbox::Processors cpus = sandbox::processors();  // before this thread is pinned: afterwards it sees one alone
  const int asked = std::stoi(argv[3]), threads = asked == 0 ? static_cast<int>(cpus.boxes.size()) : asked;
  pin(pthread_self(), std::array{cpus.judge});
  mallopt(M_MMAP_MAX, 0);  // as in a box, so that the loop's scratch memory costs what the box's does
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
  constexpr double kMostOff = 0.02;
  const bool has_limit = threads == 1;
  bool good = true;
  int judged_kernels = 0;
  fmt::print("{:<48} {:>12} {:>12} {:>8} {:>20}\n", "kernel", "judge us", "direct us", "ratio", "95 %");
  for (int i = 4; i < argc; i += 2) {
    const plan::Plan plan = plan::load_plan(argv[i]);
    std::vector<double> judged, looped, logs;
    for (int launch = 0; launch < launches; ++launch) {
      const Launch result = fresh_launch(plan, std::filesystem::absolute(argv[i + 1]), cpus, calls, threads);
      judged.push_back(result.judge);
      looped.push_back(result.direct);
      logs.push_back(std::log(result.ratio));
    }
    const record::Speedup ratio = timing::speedup_over(logs);
    const double direct = timing::median(looped);
    fmt::print("{:<48} {:>12.1f} {:>12.1f} {:>8.4f}     [{:.4f}, {:.4f}]\n", plan.task.name, timing::median(judged) * 1e6, direct * 1e6,
               ratio.estimate, ratio.low, ratio.high);
    std::fflush(stdout);
    if (direct < 1e-3 || !has_limit) continue;
    ++judged_kernels;
    if (std::abs(ratio.estimate - 1) <= kMostOff) continue;
    fmt::print("clock: {} is off by {:+.2f} %, the limit {:.0f} %: MISSED\n", plan.task.name, (ratio.estimate - 1) * 100, kMostOff * 100);
    good = false;
  }
  if (has_limit && judged_kernels == 0) {
    fmt::print("clock: no kernel takes 1 ms: MISSED\n");
    good = false;
  }
  return good ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "clock_benchmark: {}\n", error.what());
  return 2;
}

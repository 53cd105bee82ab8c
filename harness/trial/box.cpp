// SPDX-License-Identifier: Apache-2.0
#include "assay/trial/box.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "assay/sandbox/processors.h"
#include "box_end.h"
#include "fence.h"
#include "resident.h"
#include "seal.h"

namespace assay::trial {
namespace {

using record::Verdict;
using sandbox::SandboxError;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
constexpr milliseconds kLoadLimit{10000};
constexpr milliseconds kFreezeLimit{30000};  // where three others want each processor, a process may wait 2 s for one before it can stop
constexpr std::chrono::microseconds kFreezePause{20};  // between two looks, with the kernel's slack some 75
constexpr milliseconds kTransferLimit{20000};
constexpr milliseconds kArrivalLimit{30000};  // nothing but our own start; a busy machine takes its time
/// Of the first thread, which makes the calls; and what an arena of the allocator reserves (two of them for a moment, to align one).
constexpr std::uint64_t kStack = std::uint64_t{64} << 20, kArena = std::uint64_t{64} << 20;

std::uint32_t arenas_of(const BoxProgram& program) { return static_cast<std::uint32_t>(program.threads) + 2; }

/// Of processor time, for all calls of a box.
std::uint64_t processor_seconds_of(const BoxProgram& program) {
  constexpr std::uint64_t kFewest = 600;
  return std::max(kFewest, 60 * static_cast<std::uint64_t>(program.call_limit.count()));
}

std::uint64_t address_space_of(const BoxProgram& program, std::size_t buffer_bytes) {
  if (program.ours) return RLIM_INFINITY;
  return program.memory_limit + kStack + (arenas_of(program) + 1) * kArena + buffer_bytes;
}

std::vector<std::string> environment(const BoxProgram& program) {
  std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "LC_ALL=C", fmt::format("OMP_NUM_THREADS={}", program.threads),
                                        "OMP_WAIT_POLICY=passive", "OMP_DYNAMIC=false"};
  // What a kernel reads before it wrote it, or after it freed it, shows in the test stage.
  if (!program.timing && !program.ours) variables.push_back("MALLOC_PERTURB_=165");
  std::ranges::copy(program.environment, std::back_inserter(variables));
  if (!program.library_path.empty()) variables.push_back("LD_LIBRARY_PATH=" + program.library_path);
  return variables;
}

/// System-call filters that a thread is under, given its folder in /proc; 0 too on a kernel older than 5.9, which does not say.
int count_filters(const std::filesystem::path& thread) {
  constexpr std::string_view kKey = "Seccomp_filters:";
  std::ifstream status(thread / "status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kKey)) return std::atoi(line.c_str() + kKey.size());
  return 0;
}

/// Whether every thread is under two filters more than we are: the sandbox's and the one for loaded kernels.
bool filters_are_in_force(pid_t pid) {
  const std::filesystem::path process = fmt::format("/proc/{}", pid);
  if (count_filters(process) == 0) return true;
  const int wanted = count_filters("/proc/self") + 2;
  return std::ranges::all_of(std::filesystem::directory_iterator(process / "task"),
                             [wanted](const auto& thread) { return count_filters(thread.path()) == wanted; });
}

/// Waits a little for `word` to leave `value`; an exit of the child interrupts it.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  const timespec slice{0, 20'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT, value, &slice, nullptr, 0);
}

Failure out_of_processor_time(const BoxProgram& program) {
  return {Verdict::timeout, fmt::format("used more than {} s of processor time", processor_seconds_of(program))};
}

/// A box has no way to send itself SIGKILL. The kernel does where the processor time is used up and SIGXCPU was held back, or where
/// the machine runs out of memory, though the box may well have kept to its limit. Nobody can tell that from an administrator's
/// kill; a second run can.
Failure explain_kill(const BoxProgram& program, const rusage& usage) {
  const auto seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
  if (seconds >= static_cast<double>(processor_seconds_of(program)) * 0.75)
    return out_of_processor_time(program);  // the limit counts what a hypervisor stole, this sum does not
  const auto kibibytes = static_cast<std::uint64_t>(usage.ru_maxrss);
  return {kibibytes << 10 > program.memory_limit / 2 ? Verdict::memory_limit : Verdict::crash,
          fmt::format("was killed from outside, holding {} MiB: by the kernel for want of memory, or by somebody", kibibytes >> 10), true};
}

}  // namespace

ConfinedBox::File::File(const char* name, std::size_t size)
    : fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes(std::max<std::size_t>(size, wire::kPage)) {
  if (!fd || ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0)
    throw SandboxError(fmt::format("box: no memory file of {} bytes: {}", bytes, std::strerror(errno)));
  // All of it is written for the largest case: a fault for each page would take longer.
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd.get(), 0);
  if (mapped == MAP_FAILED) throw SandboxError(fmt::format("box: cannot map {} bytes: {}", bytes, std::strerror(errno)));
  memory = static_cast<std::byte*>(mapped);
}

ConfinedBox::File::~File() {
  if (memory != nullptr) munmap(memory, bytes);
}

ConfinedBox::File::File(File&& other) noexcept
    : fd(std::move(other.fd)), bytes(other.bytes), memory(std::exchange(other.memory, nullptr)) {}

ConfinedBox::File& ConfinedBox::File::operator=(File&& other) noexcept {
  std::swap(fd, other.fd);
  std::swap(bytes, other.bytes);
  std::swap(memory, other.memory);
  return *this;
}

ConfinedBox::ConfinedBox(const BoxProgram& program, std::size_t input_bytes, std::size_t output_bytes, std::size_t buffers)
    : Box(program), output_(program.output) {
  const std::size_t slack = (buffers + 1) * 2 * wire::kPage;
  command_file_ = File("command", sizeof(wire::Command));
  status_file_ = File("status", sizeof(wire::Status));
  inputs_ = File("inputs", input_bytes + slack);
  outputs_ = File("outputs", output_bytes + slack);
  if (seals()) staged_.resize(inputs_.bytes);
  // Our writable mappings exist already; nobody gets another, and no size changes under anyone's feet.
  for (const File* file : {&command_file_, &inputs_}) fcntl(file->fd.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
  for (const File* file : {&command_file_, &status_file_, &inputs_, &outputs_})
    fcntl(file->fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  command_ = new (command_file_.memory) wire::Command{};
  status_ = new (status_file_.memory) wire::Status{};
  command_->version = wire::kVersion;
  command_->spin = program.timing ? 1 : 0;
  command_->filter = program.layers.filter && !program.ours && !program.preparing && !program.transfers ? 1 : 0;
  command_->arenas = program.ours ? 0 : arenas_of(program);

  sandbox::ConfinedCommand confined;
  confined.argv = program.argv;
  confined.environment = environment(program);
  confined.readable = program.readable;
  std::ranges::copy(program.preparing ? program.compiler_view : program.driver_libraries, std::back_inserter(confined.readable));
  confined.private_copies = program.private_copies;
  confined.devices = program.devices;
  confined.loads_drivers = program.launch.has_value() || program.interpreted;
  confined.ends_never = program.interpreted;
  if (program.ours) std::ranges::copy(sandbox::system_paths(), std::back_inserter(confined.readable));
  confined.layers = program.layers;
  confined.descriptors = {{command_file_.fd.get(), wire::kCommandFd},
                          {status_file_.fd.get(), wire::kStatusFd},
                          {inputs_.fd.get(), wire::kInputsFd},
                          {outputs_.fd.get(), wire::kOutputsFd}};
  confined.limits.address_space = address_space_of(program, input_bytes + output_bytes);
  confined.limits.stack = kStack;
  if (program.preparing || program.interpreted) confined.writable = {program.cache};
  confined.may_start_processes = program.preparing;
  // A header that PyTorch has compiled ahead has 200 MB.
  confined.limits.file_size = std::uint64_t{program.interpreted ? 1024u : program.preparing ? 64u : 1u} << 20;
  confined.limits.cpu_seconds = processor_seconds_of(program);
  confined.cpus = program.cpus;
  confined.output = output_.fd();
  if (!program.ours) keep_in_memory(confined.readable);
  pid_ = start(confined);
  running_ = true;
  if (!program.interpreted) wait_until_ready();
}

void ConfinedBox::wait_until_ready() {
  wait_until_arrived(program_.argv.front());
  if (!failure_) wait_until_loaded();
}

ConfinedBox::~ConfinedBox() {
  if (running_) sandbox::stop(pid_);
}

/// Until the box says that it is there, nothing of the candidate has run: what goes wrong is our failure. A kill from outside is
/// left to a second attempt, as in a call.
void ConfinedBox::wait_until_arrived(const std::string& name) {
  if (wait_while(wire::kStarting, kArrivalLimit) && status_->ready.load() == wire::kArrived) return;
  const LastWords words = read_last_words(*status_);
  const std::string got = !running_ ? failure_->detail : fmt::format("it said {}", words.ready);
  if (running_) sandbox::stop(pid_);
  running_ = false;
  if (words.ready == wire::kUnsuited) throw Unsuited(words.message);
  if (words.ready == wire::kNotLoaded) throw SandboxError(fmt::format("box: {}: {}", name, words.message));
  const std::string silence = fmt::format("box: {} did not announce itself: {}", name, got);
  if (program_.ours || !failure_ || !failure_->killed) throw SandboxError(silence + ". do: check that it is of this build");
  failure_ = {Verdict::harness_error, silence, true};
}

/// False where the box ends, or `limit` passes, before it is in another state.
bool ConfinedBox::wait_while(wire::Ready state, std::chrono::nanoseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (status_->ready.load(std::memory_order_acquire) == state) {
    if (process_ended() || Clock::now() > deadline) return false;
    futex_wait(status_->ready, state);
  }
  return true;
}

std::chrono::nanoseconds ConfinedBox::within_budget(milliseconds limit) const {
  return program_.budget ? std::min<std::chrono::nanoseconds>(limit, program_.budget->left()) : limit;
}

void ConfinedBox::fail_for_time(milliseconds limit, const std::string& what) {
  if (failure_) return;
  const auto seconds = [](milliseconds time) { return static_cast<double>(time.count()) / 1000; };
  const bool alone = within_budget(limit) == limit;
  failure_ = {Verdict::timeout, alone ? fmt::format("{} took longer than {:.3g} s", what, seconds(limit))
                                      : fmt::format("its calls and what it does when it is loaded took longer than {:.3g} s in all",
                                                    seconds(program_.budget->limit()))};
}

void ConfinedBox::wait_until_loaded() {
  const auto begin = Clock::now();
  command_->go.store(1, std::memory_order_release);
  syscall(SYS_futex, &command_->go, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  if (!wait_while(wire::kArrived, within_budget(kLoadLimit))) return fail_for_time(kLoadLimit, "loading the library");
  if (program_.budget) program_.budget->spend(Clock::now() - begin);
  const LastWords words = read_last_words(*status_);
  if (words.ready == wire::kNotLoaded || words.ready == wire::kResisted) {
    failure_ = describe_failed_load(words);
    return;
  }
  if (freeze() && command_->filter != 0 && !filters_are_in_force(pid_))
    failure_ = {Verdict::policy, "announced itself without the filter for loaded kernels, or with filters of its own"};
}

void ConfinedBox::set_layout(const std::vector<std::size_t>& inputs, const std::vector<std::size_t>& outputs,
                             const std::vector<std::size_t>& scratch, const std::vector<std::int64_t>& dims) {
  if (inputs.size() + outputs.size() + scratch.size() > wire::kMaxBuffers || dims.size() > wire::kMaxDims)
    throw std::invalid_argument("box: more tensors or dimensions than the wire carries");
  std::vector<wire::Buffer> buffers;
  std::uint64_t offset = 0;
  for (const std::size_t bytes : inputs) {
    buffers.push_back(lay_out(offset, bytes, false));
    offset += pages_for(bytes) * wire::kPage;
  }
  if (offset > inputs_.bytes) throw std::logic_error("box: inputs are larger than announced");
  offset = 0;
  for (const std::size_t bytes : outputs) {
    buffers.push_back(lay_out(offset, bytes, true));
    offset += pages_for(bytes) * wire::kPage;
  }
  for (const std::size_t bytes : scratch) {
    buffers.push_back(lay_out(offset, bytes, true));
    buffers.back().is_scratch = 1;
    offset += pages_for(bytes) * wire::kPage;
  }
  if (offset > outputs_.bytes) throw std::logic_error("box: outputs are larger than announced");
  std::copy(dims.begin(), dims.end(), command_->dims);
  command_->dim_count = static_cast<std::uint32_t>(dims.size());
  input_count_ = inputs.size();
  in_place_.clear();
  // The box maps a new layout afresh; an old one keeps its mappings, and the kernel its translations.
  const std::size_t bytes = buffers.size() * sizeof(wire::Buffer);
  if (command_->buffer_count == buffers.size() && std::memcmp(command_->buffers, buffers.data(), bytes) == 0) return;
  std::copy(buffers.begin(), buffers.end(), command_->buffers);
  command_->buffer_count = static_cast<std::uint32_t>(buffers.size());
  ++command_->layout;
}

void ConfinedBox::set_in_place(std::size_t output, std::size_t input) {
  if (input >= input_count_ || payload(input).size() != payload(input_count_ + output).size())
    throw std::invalid_argument("box: an output takes the place of an input of another size");
  in_place_.emplace_back(output, input);
}

void ConfinedBox::set_launches(const std::vector<wire::Launch>& launches) {
  if (launches.size() > wire::kMaxLaunches) throw std::invalid_argument("box: more launches than the wire carries");
  std::ranges::copy(launches, command_->launches);
  command_->launch_count = static_cast<std::uint32_t>(launches.size());
}

std::span<std::byte> ConfinedBox::payload(std::size_t buffer) const {
  const wire::Buffer& at = command_->buffers[buffer];
  const File& file = at.is_output != 0 ? outputs_ : inputs_;
  return {file.memory + at.offset + at.start, at.bytes};
}

std::span<std::byte> ConfinedBox::input(std::size_t i) {
  if (!seals()) return payload(i);
  const wire::Buffer& at = command_->buffers[i];
  return {staged_.data() + at.offset + at.start, at.bytes};
}
std::span<const std::byte> ConfinedBox::output(std::size_t i) const { return payload(input_count_ + i); }

void ConfinedBox::poison(Poison kind, std::uint32_t number) {
  pattern_ = poison_pattern(kind, number);
  fill_fences({command_->buffers, command_->buffer_count}, inputs_.memory, outputs_.memory, pattern_);
  fill_outputs();
  if (seals()) return;  // upload() does it
  for (const auto& [output, input] : in_place_) std::ranges::copy(payload(input), payload(input_count_ + output).data());
}

/// Here, or, by the box, where its kernels work.
void ConfinedBox::fill_outputs() {
  command_->fill = {pattern_, {}};
  for (std::size_t i = input_count_; i < command_->buffer_count; ++i) {
    const bool is_in_place = std::ranges::any_of(in_place_, [&](const auto& pair) { return input_count_ + pair.first == i; });
    if (is_in_place) continue;
    if (program_.transfers) command_->fill.filled.insert(i);
    else fill(payload(i), pattern_);
  }
}

std::optional<Failure> ConfinedBox::damaged_fence() const {
  return find_damaged_fence({command_->buffers, command_->buffer_count}, outputs_.memory, pattern_);
}

std::optional<std::chrono::nanoseconds> ConfinedBox::call(wire::CallKind kind, milliseconds limit) {
  const bool sealed = seals() && (kind == wire::CallKind::kernel || kind == wire::CallKind::sealing);
  if (kind == wire::CallKind::sealing) mark_sealed();
  const auto time = run(kind, limit, sealed);
  if (!sealed) return time;
  command_->seal.is_on = 0;
  std::ranges::copy(status_->digest, digest_.begin());
  if (kind == wire::CallKind::kernel) show_inputs();
  return time;
}

std::optional<std::chrono::nanoseconds> ConfinedBox::run(wire::CallKind kind, milliseconds limit, bool sealed) {
  if (failure_) return {};
  command_->kind = kind;
  const std::uint32_t number = command_->go.load(std::memory_order_relaxed) + 1;
  if (first_cpu_) sandbox::restrict_to(pid_, {*first_cpu_});
  const auto begin = Clock::now();
  if (sealed) {
    std::ranges::copy(key_, command_->seal.key);
    command_->seal.is_on = 1;
  }
  stopped_ = false;
  kill(pid_, SIGCONT);
  // It is on its way to that processor. Threads that the candidate starts from here on may run on any.
  if (first_cpu_) sandbox::restrict_to(pid_, program_.cpus);
  command_->go.store(number, std::memory_order_release);
  if (!program_.timing) syscall(SYS_futex, &command_->go, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  if (!wait_for_done(number, begin + within_budget(limit))) {
    fail_for_time(limit, "a call");
    return {};
  }
  // Only when the last thread stands still is the call over: what runs on after `done` would otherwise come for nothing.
  if (!freeze()) return {};
  const auto time = Clock::now() - begin;
  if (program_.budget) program_.budget->spend(time);
  return time;
}

void ConfinedBox::upload() {
  if (seals()) begin_seal();
  if (program_.transfers) call(wire::CallKind::upload, kTransferLimit);
}

void ConfinedBox::download() {
  if (program_.transfers) call(wire::CallKind::download, kTransferLimit);
  if (seals()) check_seal();
}

/// Plain inputs are never where the box, or a device that it has told of its memory, could read them before the clock runs: a stopped
/// process does not stop a device.
void ConfinedBox::begin_seal() {
  key_ = draw_seal_key();
  mark_sealed();
  for (std::uint32_t i = 0; i < input_count_; ++i) mask(input(i), payload(i), key_, i, program_.cpus);
  for (const auto& [output, input] : in_place_) {
    const auto buffer = static_cast<std::uint32_t>(input_count_ + output);
    mask(this->input(input), payload(buffer), key_, buffer, program_.cpus);
  }
}

/// Inputs, and outputs that begin as inputs.
void ConfinedBox::mark_sealed() {
  command_->seal.masked = {};
  for (std::size_t input = 0; input < input_count_; ++input) command_->seal.masked.insert(input);
  for (const auto& [output, input] : in_place_) command_->seal.masked.insert(input_count_ + output);
}

/// The call is over: inputs are compared with what they were.
void ConfinedBox::show_inputs() {
  for (std::size_t i = 0; i < input_count_; ++i) std::ranges::copy(input(i), payload(i).begin());
}

void ConfinedBox::check_seal() {
  if (failure_) return;
  std::vector<std::span<const std::byte>> outputs;
  for (std::size_t i = input_count_; i < command_->buffer_count; ++i) outputs.push_back(payload(i));
  if (digest_of(outputs, program_.cpus) != digest_)
    failure_ = {Verdict::policy, "its outputs are others than when the call ended: work went on behind it"};
}

std::size_t ConfinedBox::batches() const {
  return program_.transfers && (program_.launch || program_.ours) && running_ ? std::min<std::size_t>(status_->batches, wire::kMaxSets) : 0;
}

void ConfinedBox::stow(std::size_t set) {
  command_->set = static_cast<std::uint32_t>(set);
  call(wire::CallKind::stow, kTransferLimit);
}

void ConfinedBox::fetch(std::size_t set) {
  command_->set = static_cast<std::uint32_t>(set);
  call(wire::CallKind::fetch, kTransferLimit);
}

std::optional<std::chrono::nanoseconds> ConfinedBox::batch(wire::CallKind kind, std::size_t sets, milliseconds limit) {
  if (sets > wire::kMaxSets) throw std::invalid_argument("box: more calls in a batch than the wire carries");
  command_->set = static_cast<std::uint32_t>(sets);
  return call(kind, limit);
}

std::vector<std::chrono::nanoseconds> ConfinedBox::device_times(std::size_t sets) const {
  std::vector<std::chrono::nanoseconds> times;
  for (std::size_t set = 0; set < sets; ++set) times.emplace_back(status_->set_ns[set]);
  return times;
}

std::chrono::nanoseconds ConfinedBox::device_time() const { return std::chrono::nanoseconds(status_->device_ns); }

void ConfinedBox::begin_on(int cpu) {
  if (program_.cpus.size() > 1) first_cpu_ = cpu;
}

std::optional<std::chrono::nanoseconds> ConfinedBox::cpu_time() const {
  clockid_t clock;
  timespec time{};
  if (!running_ || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool ConfinedBox::wait_for_done(std::uint32_t number, Clock::time_point deadline) {
  for (std::uint32_t spins = 1;; ++spins) {
    const std::uint32_t done = status_->done.load(std::memory_order_acquire);
    if (done == number) return true;
    if (program_.timing) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
      if (spins % 4096 != 0) continue;
      sched_yield();
    } else {
      futex_wait(status_->done, done);
    }
    if (process_ended() || Clock::now() > deadline) return false;
  }
}

/// Stops every thread and waits for the last of them.
bool ConfinedBox::freeze() {
  if (stopped_) return true;
  // A stop that the process undoes at once (by a timer that sends SIGCONT) is never reported: stop it again rather than wait.
  const auto deadline = Clock::now() + kFreezeLimit;
  while (Clock::now() < deadline) {
    kill(pid_, SIGSTOP);
    for (const auto again = Clock::now() + milliseconds(2); Clock::now() < again;) {
      if (process_ended()) return false;
      if (stopped_) return true;
      if (program_.timing) sched_yield();
      else std::this_thread::sleep_for(kFreezePause);
    }
  }
  failure_ = {Verdict::policy, "cannot be frozen: it wakes itself, or a thread waits where nothing stops it"};
  return false;
}

/// Whether the box has ended; notes where it has come to a stop since the last look.
bool ConfinedBox::process_ended() {
  int status = 0;
  rusage usage{};
  pid_t got;
  while ((got = wait4(pid_, &status, WUNTRACED | WNOHANG, &usage)) < 0 && errno == EINTR) {
  }
  if (got != pid_) return false;
  stopped_ = WIFSTOPPED(status);
  if (stopped_) return false;
  running_ = false;
  const std::span<const wire::Buffer> buffers(command_->buffers, command_->buffer_count);
  failure_ = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? explain_kill(program_, usage)
             : WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU
                 ? out_of_processor_time(program_)
                 : describe_end(read_last_words(*status_), buffers, status, program_.memory_limit);
  return true;
}

}  // namespace assay::trial

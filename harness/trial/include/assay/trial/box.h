// SPDX-License-Identifier: Apache-2.0
// The judge's side of one box: a confined process that runs kernels on memory that the judge owns.
// Between calls the box is frozen (SIGSTOP, every thread), so it can neither work ahead nor finish late.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/record/verdict.h"
#include "assay/sandbox/sandbox.h"
#include "assay/spec/descriptor.h"
#include "assay/spec/launch.h"
#include "assay/trial/printed_output.h"
#include "assay/wire/wire.h"

namespace assay::trial {

/// Why a call has no result.
struct Failure {
  record::Verdict verdict = record::Verdict::crash;
  std::string detail;
  bool killed = false;  ///< by somebody, or by the kernel for want of memory: stands only where a second run ends so as well
};

/// What outputs hold before a call, and fences around them: as a float of any width a NaN, or a huge number of either sign.
enum class Poison { nan, huge, minus_huge };

/// Wall time that all boxes of a candidate in a stage have together, to be loaded and for their calls.
class TimeBudget {
 public:
  explicit TimeBudget(std::chrono::milliseconds limit) : limit_(limit) {}
  std::chrono::milliseconds limit() const { return limit_; }
  std::chrono::nanoseconds left() const { return limit_ - spent_; }
  void spend(std::chrono::nanoseconds time) { spent_ += time; }

 private:
  std::chrono::milliseconds limit_;
  std::chrono::nanoseconds spent_{0};
};

/// A framework has no implementation of what a task needs.
class Unsuited : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct BoxProgram {
  std::vector<std::string> argv;
  std::vector<std::filesystem::path> readable;        ///< files and folders that it sees; for programs of ours the system's too
  std::vector<std::filesystem::path> private_copies;  ///< what it is given of the candidate: each box has copies of its own
  std::vector<std::filesystem::path> devices;         ///< device files of the driver
  std::vector<std::string> environment;               ///< "NAME=value", beside what every box has
  sandbox::Layers layers;
  bool ours = false;                    ///< runs no candidate: its memory and its calls are not limited
  bool interpreted = false;             ///< of ours, by libraries that ask for more than they need: they are refused it, not ended; and
                                        ///< that write to `cache`
  std::string library_path;             ///< LD_LIBRARY_PATH
  std::filesystem::path output;         ///< file that gets what it prints, up to 1 MiB; empty: discarded
  std::vector<int> cpus;                ///< empty: any
  int threads = 1;                      ///< OMP_NUM_THREADS
  std::shared_ptr<TimeBudget> budget;   ///< none: calls have their own limits alone
  std::chrono::seconds call_limit{10};  ///< of a call that is not timed
  std::uint64_t memory_limit = 0;       ///< address space beyond inputs and outputs; not of programs of ours
  bool timing = false;                  ///< wait for calls by spinning
  /// How device code is launched; nothing where a call is one of the library's function.
  std::optional<spec::LaunchBlock> launch;
  spec::DeviceLimits limits;    ///< of that device
  std::string device;           ///< its selector
  bool transfers = false;       ///< the device has memory of its own, or a program of ours acts as if
  bool seals = false;           ///< it may run host code of a candidate on that memory: timed calls are sealed (seal.h)
  std::filesystem::path cache;  ///< what the device's compiler makes of a kernel when it is first launched
  bool preparing = false;       ///< launches on data of no case to fill that cache: may write and start the compiler
  std::vector<std::filesystem::path> compiler_view;     ///< what it sees beside `readable` then
  std::vector<std::filesystem::path> driver_libraries;  ///< what it sees beside `readable` else
};

/// A process that makes calls on memory that the judge owns.
class Box {
 public:
  virtual ~Box() = default;
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  const BoxProgram& program() const { return program_; }
  /// Set once the box can make no more calls.
  const std::optional<Failure>& failure() const { return failure_; }
  /// No call can be made any more, for a reason that was found outside the box.
  void refuse(Failure failure) { failure_ = std::move(failure); }

  /// Of an interpreted program, whose start takes seconds: returns when it is loaded, and throws as the start of another does. To be called
  /// before anything else.
  virtual void wait_until_ready() {}

  /// Lays out inputs, outputs and scratch of these sizes, and sets the dimensions, for the calls that follow.
  virtual void set_layout(const std::vector<std::size_t>& inputs, const std::vector<std::size_t>& outputs,
                          const std::vector<std::size_t>& scratch, const std::vector<std::int64_t>& dims) = 0;
  /// From the next poison() until the next layout, output `output` begins as what input `input` is, of the same size.
  virtual void set_in_place(std::size_t output, std::size_t input) = 0;
  /// What a call launches.
  virtual void set_launches(const std::vector<wire::Launch>& launches) = 0;
  virtual std::span<std::byte> input(std::size_t i) = 0;
  virtual std::span<const std::byte> output(std::size_t i) const = 0;

  /// Fills outputs with a pattern made of `number` (those in place with their inputs), and the fences around every buffer.
  virtual void poison(Poison kind, std::uint32_t number) = 0;

  /// One call: thaw, run, freeze. The time from `go` to `done`, or nothing: see failure().
  virtual std::optional<std::chrono::nanoseconds> call(wire::CallKind kind, std::chrono::milliseconds limit) = 0;

  /// Where the device has memory of its own: all buffers to it before a call, and its outputs back after one. Both are calls,
  /// and nothing is run of the candidate.
  virtual void upload() = 0;
  virtual void download() = 0;

  /// Most calls of a batch that it makes on its device, up to wire::kMaxSets; 0: it makes none. Of a program of ours that runs no host code
  /// of a candidate.
  virtual std::size_t batches() const = 0;
  /// All buffers to the device, sealed there as one of the sets 0 to wire::kMaxSets - 1 of this layout; and what a batch has left of one
  /// back, with its inputs compared to what was stowed, and its fences.
  virtual void stow(std::size_t set) = 0;
  virtual void fetch(std::size_t set) = 0;
  /// wire::CallKind::batch or empty_batch on the first `sets`: as call(). What the device's clock says of each call.
  virtual std::optional<std::chrono::nanoseconds> batch(wire::CallKind kind, std::size_t sets, std::chrono::milliseconds limit) = 0;
  virtual std::vector<std::chrono::nanoseconds> device_times(std::size_t sets) const = 0;

  /// What the device's own clock says of the last call; the process that runs the candidate has written it. 0: nothing.
  virtual std::chrono::nanoseconds device_time() const = 0;

  /// Every later call begins on `cpu`, one of the program's. Its threads may leave it; the next call begins there again.
  virtual void begin_on(int cpu) = 0;

  /// Processor time of all threads of the process so far; nothing once it has ended. It stands still while frozen.
  virtual std::optional<std::chrono::nanoseconds> cpu_time() const = 0;

  /// A failure OUT_OF_BOUNDS where a fence around an output is damaged.
  virtual std::optional<Failure> damaged_fence() const = 0;

 protected:
  explicit Box(const BoxProgram& program) : program_(program) {}

  BoxProgram program_;
  std::optional<Failure> failure_;
};

/// In the sandbox.
class ConfinedBox final : public Box {
 public:
  /// Starts the program with room for `input_bytes` and `output_bytes` in `buffers` buffers (each rounded up to pages).
  /// Throws SandboxError where it cannot be started or ends before it would load anything, Unsuited where it says that it cannot do what
  /// it is asked for; failing to load is failure().
  ConfinedBox(const BoxProgram& program, std::size_t input_bytes, std::size_t output_bytes, std::size_t buffers);
  ~ConfinedBox() override;

  void wait_until_ready() override;
  void set_layout(const std::vector<std::size_t>& inputs, const std::vector<std::size_t>& outputs, const std::vector<std::size_t>& scratch,
                  const std::vector<std::int64_t>& dims) override;
  void set_in_place(std::size_t output, std::size_t input) override;
  void set_launches(const std::vector<wire::Launch>& launches) override;
  std::span<std::byte> input(std::size_t i) override;
  std::span<const std::byte> output(std::size_t i) const override;
  void poison(Poison kind, std::uint32_t number) override;
  std::optional<std::chrono::nanoseconds> call(wire::CallKind kind, std::chrono::milliseconds limit) override;
  void upload() override;
  void download() override;
  std::size_t batches() const override;
  void stow(std::size_t set) override;
  void fetch(std::size_t set) override;
  std::optional<std::chrono::nanoseconds> batch(wire::CallKind kind, std::size_t sets, std::chrono::milliseconds limit) override;
  std::vector<std::chrono::nanoseconds> device_times(std::size_t sets) const override;
  std::chrono::nanoseconds device_time() const override;
  void begin_on(int cpu) override;
  std::optional<std::chrono::nanoseconds> cpu_time() const override;
  std::optional<Failure> damaged_fence() const override;

  /// Its number; 0 once it has ended.
  pid_t process() const { return running_ ? pid_ : 0; }

 private:
  /// Memory that the box maps, too.
  struct File {
    File() = default;
    File(const char* name, std::size_t size);
    ~File();
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;

    spec::Descriptor fd;
    std::size_t bytes = 0;
    std::byte* memory = nullptr;
  };
  std::optional<std::chrono::nanoseconds> run(wire::CallKind kind, std::chrono::milliseconds limit, bool sealed);
  std::span<std::byte> payload(std::size_t buffer) const;
  void wait_until_arrived(const std::string& name);
  void wait_until_loaded();
  bool wait_while(wire::Ready state, std::chrono::nanoseconds limit);
  std::chrono::nanoseconds within_budget(std::chrono::milliseconds limit) const;
  void fail_for_time(std::chrono::milliseconds limit, const std::string& what);
  bool wait_for_done(std::uint32_t number, std::chrono::steady_clock::time_point deadline);
  bool freeze();
  bool process_ended();
  /// Whether timed calls are sealed.
  bool seals() const { return program_.seals && program_.timing; }
  void begin_seal();
  void mark_sealed();
  void fill_outputs();
  void show_inputs();
  void check_seal();

  File command_file_, status_file_, inputs_, outputs_;
  wire::Command* command_ = nullptr;
  wire::Status* status_ = nullptr;
  PrintedOutput output_;
  pid_t pid_ = 0;
  bool running_ = false;
  bool stopped_ = false;  ///< the kernel tells of each stop once
  std::optional<int> first_cpu_;
  std::size_t input_count_ = 0;
  std::uint32_t pattern_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> in_place_;  ///< output, input
  std::vector<std::byte> staged_;                              ///< inputs of sealed calls, out of the box's reach
  std::array<std::uint32_t, 8> key_{};                         ///< of the next sealed call
  std::array<std::uint8_t, wire::kDigestBytes> digest_{};      ///< that the last one ended with
};

}  // namespace assay::trial

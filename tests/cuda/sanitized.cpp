// SPDX-License-Identifier: Apache-2.0
// A device's binary on the cases of its task, in a process without sandbox, for tools that watch one: sanitize.py starts it under
// compute-sanitizer. Of references alone.
//   sanitized <plan> <prefix of what was built> <most bytes of a case>
// Outputs and scratch hold nothing before a call: whoever reads them first is seen.
#include <fmt/format.h>

#include <exception>

#include "assay/cases/expected.h"
#include "assay/compile/compilation.h"
#include "assay/plan/plan.h"
#include "assay/trial/trial.h"
#include "device.h"
#include "kernels.h"

namespace assay {
namespace {

class Sanitized : public cuda::Kernels {
 public:
  using Kernels::Kernels;
  void upload_inputs(const std::vector<box::SharedBuffer>& buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (const auto& [pages, room, payload, bytes, is_output, is_scratch] = buffers[i]; !is_output)
        write(i, this->buffers()[i].mapped - this->buffers()[i].room, {payload, bytes});
  }
};

/// A box without a process of its own: what the judge lays out is what is launched here.
class OpenBox : public trial::Box {
 public:
  OpenBox(const trial::BoxProgram& program, const cuda::Device& device, const std::filesystem::path& binary)
      : Box(program), kernels_(device, binary, spec::kernel_names(program.launch.value())) {}

  void set_layout(const std::vector<std::size_t>& inputs, const std::vector<std::size_t>& outputs, const std::vector<std::size_t>& scratch,
                  const std::vector<std::int64_t>&) override {
    memory_.clear(), buffers_.clear();
    const auto add = [&](std::size_t bytes, bool is_output, bool is_scratch) {
      std::byte* payload = memory_.emplace_back(bytes).data();
      buffers_.push_back({payload, bytes, payload, bytes, is_output, is_scratch});
    };
    for (const std::size_t bytes : inputs) add(bytes, false, false);
    for (const std::size_t bytes : outputs) add(bytes, true, false);
    for (const std::size_t bytes : scratch) add(bytes, true, true);
    input_count_ = inputs.size();
    kernels_.allocate(buffers_);
  }
  /// An output that begins as an input does is one.
  void set_in_place(std::size_t output, std::size_t input) override { in_place_.emplace_back(output, input); }
  void set_launches(const std::vector<wire::Launch>& launches) override { launches_ = launches; }
  std::span<std::byte> input(std::size_t i) override { return {buffers_[i].payload, buffers_[i].bytes}; }
  std::span<const std::byte> output(std::size_t i) const override {
    return {buffers_[input_count_ + i].payload, buffers_[input_count_ + i].bytes};
  }
  void poison(trial::Poison, std::uint32_t) override {}

  std::optional<std::chrono::nanoseconds> call(wire::CallKind, std::chrono::milliseconds) override {
    std::vector<box::SharedBuffer> uploaded = buffers_;
    for (const auto& [output, input] : std::exchange(in_place_, {})) {
      box::SharedBuffer& to = uploaded[input_count_ + output];
      to.payload = buffers_[input].payload;
      to.is_output = false;
    }
    kernels_.upload_inputs(uploaded);
    const wire::Seal seal{};
    return std::chrono::nanoseconds(kernels_.run({nullptr, nullptr, launches_, seal, nullptr}));
  }

  void upload() override {}
  void download() override {}
  std::size_t batches() const override { return 0; }
  void stow(std::size_t) override {}
  void fetch(std::size_t) override {}
  std::optional<std::chrono::nanoseconds> batch(wire::CallKind, std::size_t, std::chrono::milliseconds) override { return {}; }
  std::vector<std::chrono::nanoseconds> device_times(std::size_t) const override { return {}; }
  std::chrono::nanoseconds device_time() const override { return {}; }
  void begin_on(int) override {}
  std::optional<std::chrono::nanoseconds> cpu_time() const override { return {}; }
  std::optional<trial::Failure> damaged_fence() const override { return {}; }

 private:
  Sanitized kernels_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<box::SharedBuffer> buffers_;
  std::size_t input_count_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> in_place_;
  std::vector<wire::Launch> launches_;
};

/// How many cases were called.
int call_cases(const std::string& plan_file, const std::string& prefix, std::size_t most_bytes) {
  const plan::Plan plan = plan::load_plan(plan_file);
  const plan::Candidate candidate{"reference", 0, {}, prefix};
  const compile::PassedLibrary library(candidate);
  const trial::BoxProgram program = trial::candidate_program(plan, candidate, library.device_code(), 1, std::chrono::hours(1));
  const cuda::Device device = cuda::choose_device(program.device);
  cuda::make_current(device);
  OpenBox box(program, device, candidate.library());
  int calls = 0;
  const spec::Task task = spec::load_checked_task(plan.task.task_yaml);
  cases::each_case(task, cases::fresh_seed(), [&](const cases::PreparedCase& entry) {
    if (bytes_of(entry) > most_bytes) return;
    trial::load_case(box, entry);
    if (box.failure()) throw std::runtime_error(entry.name + ": " + box.failure()->detail);
    box.call(wire::CallKind::kernel, {});
    ++calls;
  });
  return calls;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: sanitized <plan> <prefix> <most bytes of a case>\n");
    return 2;
  }
  try {
    fmt::print("called {} cases\n", assay::call_cases(argv[1], argv[2], std::stoull(argv[3])));
    return 0;
  } catch (const std::exception& error) {
    fmt::print("failed: {}\n", error.what());
    return 3;
  }
}

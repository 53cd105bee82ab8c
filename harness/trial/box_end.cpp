// SPDX-License-Identifier: Apache-2.0
#include "box_end.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <cstring>

#include "fence.h"

namespace assay::trial {
namespace {

using record::Verdict;

/// Bytes before a buffer; of any offset, also of one that has no positive counterpart.
std::uint64_t distance_before(std::int64_t offset) { return std::uint64_t{0} - static_cast<std::uint64_t>(offset); }

Failure describe_fault(const LastWords& words, std::span<const wire::Buffer> buffers, std::uint64_t memory_limit) {
  const bool known = words.buffer < buffers.size();
  const std::string name = known ? name_of(buffers, words.buffer) : "";
  const std::int64_t offset = words.fault_offset;
  if (known && words.fault == wire::Fault::input_write)
    return {Verdict::input_modified, fmt::format("wrote to {} at byte {}", name, offset)};
  if (known && words.fault == wire::Fault::input_piece)
    return {Verdict::input_modified, fmt::format("wrote to {}, to one of the {} bytes from byte {}", name, wire::kInputPiece, offset)};
  if (known && words.fault == wire::Fault::guard)
    return {Verdict::out_of_bounds, offset < 0
                                        ? fmt::format("accessed {} bytes before {}", distance_before(offset), name)
                                        : fmt::format("accessed byte {} of {}, which has {}", offset, name, buffers[words.buffer].bytes)};
  const auto said = [&words](const char* otherwise) { return words.message.empty() ? otherwise : words.message; };
  if (words.fault == wire::Fault::refused) return {Verdict::crash, said("the call was refused, and no reason given")};
  if (words.fault == wire::Fault::unmapped) return {Verdict::out_of_bounds, said("accessed memory beyond all buffers")};
  if (words.memory_exhausted != 0)
    return {Verdict::memory_limit,
            fmt::format("allocated more memory than the limit of {:.3g} GiB", static_cast<double>(memory_limit) / (1 << 30))};
  // Beyond the signals' numbers strsignal() would allocate, or say the number of a signal that does not exist.
  const bool signal = words.signal > 0 && words.signal < NSIG;
  return {Verdict::crash, signal ? strsignal(static_cast<int>(words.signal)) : "died"};
}

}  // namespace

LastWords read_last_words(const wire::Status& page) {
  LastWords words{
      page.ready.load(std::memory_order_acquire),    page.signal, page.buffer, page.memory_exhausted, page.fault, page.fault_offset,
      std::string(page.message, sizeof page.message)};
  // The compiler may not read the page again in place of the copy.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  words.message.resize(strnlen(words.message.data(), words.message.size()));
  return words;
}

Failure describe_end(const LastWords& words, std::span<const wire::Buffer> buffers, int wait_status, std::uint64_t memory_limit) {
  if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGSYS)
    return {Verdict::policy, "called a system function that no kernel needs (processes, new code, network, tracing)"};
  if (WIFSIGNALED(wait_status)) return {Verdict::crash, fmt::format("killed by signal {}", strsignal(WTERMSIG(wait_status)))};
  if (words.fault != wire::Fault::none) return describe_fault(words, buffers, memory_limit);
  return {Verdict::crash, fmt::format("ended the process with status {} in the middle of a call", WEXITSTATUS(wait_status))};
}

Failure describe_failed_load(const LastWords& words) {
  if (words.ready == wire::kResisted) return {Verdict::policy, "kept the filter for loaded kernels from being installed"};
  return {Verdict::crash, "the library cannot be loaded: " + words.message};
}

}  // namespace assay::trial

// SPDX-License-Identifier: Apache-2.0
// A status page of any bytes, and any way to end: always a failure, never a result, never our own fault.
#include "box_end.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "property.h"

namespace assay::box_end_target {
namespace {

using record::Verdict;
using trial::describe_end, trial::describe_failed_load, trial::Failure, trial::LastWords, trial::read_last_words;

/// As the box's program could have left it.
std::unique_ptr<wire::Status> status_page(Bits& bits) {
  auto page = std::make_unique<wire::Status>();
  page->done = bits.take<std::uint32_t>();
  page->ready = bits.take<std::uint32_t>();
  page->fault = static_cast<wire::Fault>(bits.take<std::uint32_t>());
  page->signal = bits.take<std::uint32_t>();
  page->buffer = bits.take<std::uint32_t>();
  page->memory_exhausted = bits.take<std::uint32_t>();
  page->fault_offset = bits.take<std::int64_t>();
  const std::string_view message = bits.rest();
  std::memcpy(page->message, message.data(), std::min(message.size(), sizeof page->message));
  return page;
}

void check(const Failure& failure) {
  constexpr Verdict kFailures[] = {Verdict::policy, Verdict::crash, Verdict::input_modified, Verdict::out_of_bounds, Verdict::memory_limit};
  require(std::ranges::find(kFailures, failure.verdict) != std::ranges::end(kFailures), "a box that ended has failed",
          std::string(name(failure.verdict)));
  require(!failure.detail.empty() && failure.detail.size() < 512, "a failure is explained in a line", failure.detail);
}

}  // namespace

FUZZ_TARGET(box_end) {
  Bits bits(data, size);
  const int wait_status = bits.take<std::uint16_t>();
  const auto inputs = bits.take<std::uint8_t>() % 32u, outputs = bits.take<std::uint8_t>() % 32u;
  std::vector<wire::Buffer> buffers;
  for (unsigned i = 0; i < inputs + outputs; ++i) buffers.push_back({0, 1, 64, 4032, i < inputs ? 0u : 1u, 0});
  const auto page = status_page(bits);
  const LastWords words = read_last_words(*page);
  require(words.message.size() <= sizeof page->message && words.message.find('\0') == std::string::npos, "a message ends", words.message);
  const Failure failure = describe_end(words, buffers, wait_status, std::uint64_t{2} << 30);
  check(failure);
  const bool forbidden = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGSYS;
  require((failure.verdict == Verdict::policy) == forbidden, "only the kernel says that a call was forbidden", failure.detail);
  require(!WIFSIGNALED(wait_status) || forbidden || failure.verdict == Verdict::crash, "a signal is a crash", failure.detail);
  check(describe_failed_load(words));
  return 0;
}

}  // namespace assay::box_end_target

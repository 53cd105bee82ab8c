// SPDX-License-Identifier: Apache-2.0
// What is said of a box that has ended. The status page that it leaves can be written by the candidate at any time: it is
// copied once, and only the copy is read. It is advice on why a call failed; no byte of it turns a failure into a result.
#pragma once

#include <span>
#include <string>

#include "assay/trial/box.h"

namespace assay::trial {

/// A private copy of the status page.
struct LastWords {
  std::uint32_t ready, signal, buffer, memory_exhausted;
  wire::Fault fault;
  std::int64_t fault_offset;
  std::string message;
};
LastWords read_last_words(const wire::Status& page);

/// Why a box whose buffers are `buffers`, inputs first, ended with the wait status `wait_status`.
Failure describe_end(const LastWords& words, std::span<const wire::Buffer> buffers, int wait_status, std::uint64_t memory_limit);

/// Why a box could not load its library.
Failure describe_failed_load(const LastWords& words);

}  // namespace assay::trial

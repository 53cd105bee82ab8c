// SPDX-License-Identifier: Apache-2.0
// The box's side of the wire: maps buffers behind guard pages, waits for calls, reports faults.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "assay/wire/wire.h"

namespace assay {

/// One call of a kernel: pointers to inputs then outputs, and the task's dimensions in order.
using CallTarget = std::function<void(void* const* tensors, const std::int64_t* dims)>;

class Worker {
 public:
  /// Maps command and status, and waits until the judge has seen that. Exits the process with status 3 where they are not
  /// there: not started by a judge.
  Worker();

  /// From here on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT leave their cause in status before the process ends.
  void report_faults();
  /// Tells the judge why the target could not be loaded, and ends the process with status 4.
  [[noreturn]] void fail_to_load(const char* message, wire::Ready why = wire::kNotLoaded);
  /// Whether the judge wants the loaded target under a filter of its own.
  bool is_filtered() const { return command_->filter != 0; }
  /// Announces readiness and runs calls for ever.
  [[noreturn]] void serve(const CallTarget& target);

 private:
  void announce(wire::Ready state);
  void map_buffers();
  void unmap_buffers();
  std::uint32_t wait_for_call(std::uint32_t last) const;

  const wire::Command* command_;
  wire::Status* status_;
  std::uint32_t layout_ = 0;
  std::vector<char> heap_shift_;  ///< moves all later allocations by a random distance
};

}  // namespace assay

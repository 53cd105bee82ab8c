// SPDX-License-Identifier: Apache-2.0
// Programs of ours as children: each stage of a sample is one, so that whatever ends it ends nothing else.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assay/spec/descriptor.h"

namespace assay::score {

/// Tells everybody who waits for a child that it is to be killed. Once said it stays said.
class StopSign {
 public:
  StopSign();
  void raise();
  int fd() const { return event_.get(); }

 private:
  spec::Descriptor event_;
};

struct ChildProgram {
  std::vector<std::string> argv;         ///< the first is a path
  std::vector<std::string> environment;  ///< "NAME=value", beside this process' own
  double seconds = 0;                    ///< after which it is killed
  std::vector<int> cpus;                 ///< where it may run; empty: anywhere
  bool is_told = false;                  ///< its standard input is what Child::tell() writes; else it has none
};

struct EndedChild {
  int status = 0;  ///< as waitpid gives it
  bool timed_out = false, stopped = false;
  double seconds = 0;
  std::string output;  ///< stdout and stderr, its first 256 KiB

  bool exited() const;
  /// "exit code 2", "signal 9 (Killed)"
  std::string how() const;
};

/// A program that runs. It gets no descriptor of ours but its input and output, and no signal is blocked or ignored in it; it dies with
/// this process, and with this object.
class Child {
 public:
  /// Throws std::runtime_error where it cannot be started.
  explicit Child(const ChildProgram& program);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes a byte to its standard input.
  void tell() const;
  /// Waits, once; kills it `seconds` from now, or when `stop` is raised. `EndedChild::seconds` are those of this call.
  EndedChild wait(double seconds, const StopSign& stop);

 private:
  void bury(int& status);

  spec::Descriptor output_, input_;  ///< our ends of them
  pid_t pid_ = 0;
};

/// Runs `program` and waits as Child does.
EndedChild run_child(const ChildProgram& program, const StopSign& stop);

/// Children's children that lost their parents come to this process, which has to bury them; by the kernel's rule they would go to the
/// first process of the container, which may bury nobody.
void adopt_orphans();
/// Buries those that have died.
void bury_orphans();

}  // namespace assay::score

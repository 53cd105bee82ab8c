// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as something to be asked for and waited for. The first asks a command to end in order, a second one at once.
#pragma once

#include <functional>
#include <memory>

namespace assay::command {

class Ending {
 public:
  /// Blocks both signals in this thread and those that it starts; to be made before them.
  Ending();
  ~Ending();
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  /// How many have come.
  int asked() const;
  /// The first of them; 0 where none has come.
  int signal() const;
  /// `call` is called once when the first comes, from another thread, or at once if it has come.
  void on_first(std::function<void()> call) const;
  /// The same of the second.
  void on_second(std::function<void()> call) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::command

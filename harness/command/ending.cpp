// SPDX-License-Identifier: Apache-2.0
#include "ending.h"

#include <pthread.h>
#include <signal.h>

#include <array>
#include <mutex>
#include <thread>
#include <utility>

namespace assay::command {

struct Ending::State {
  std::mutex mutex;
  int asked = 0, first = 0;
  bool over = false;
  std::array<std::function<void()>, 2> calls;  ///< for the first and the second
  std::thread thread;

  /// Calls under the lock, so that whoever takes a call back knows that it is not running.
  void came(int signal) {
    const std::lock_guard lock(mutex);
    if (first == 0) first = signal;
    ++asked;
    call(asked - 1);
  }
  void call(int index) {
    if (index < 0 || index >= static_cast<int>(calls.size()) || asked <= index) return;
    if (const auto call = std::exchange(calls[static_cast<std::size_t>(index)], {})) call();
  }
  void set(int index, std::function<void()> call_) {
    const std::lock_guard lock(mutex);
    calls[static_cast<std::size_t>(index)] = std::move(call_);
    call(index);
  }
};

namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR2}) sigaddset(&set, signal);  // the last one ends the thread that waits
  return set;
}

}  // namespace

Ending::Ending() : state_(std::make_unique<State>()) {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  state_->thread = std::thread([state = state_.get(), set] {
    for (int came = 0; sigwait(&set, &came) == 0;) {
      if (came != SIGUSR2) {
        state->came(came);
        continue;
      }
      const std::lock_guard lock(state->mutex);
      if (state->over) return;
    }
  });
}

Ending::~Ending() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
  }
  pthread_kill(state_->thread.native_handle(), SIGUSR2);
  state_->thread.join();
}

int Ending::asked() const {
  const std::lock_guard lock(state_->mutex);
  return state_->asked;
}

int Ending::signal() const {
  const std::lock_guard lock(state_->mutex);
  return state_->first;
}

void Ending::on_first(std::function<void()> call) const { state_->set(0, std::move(call)); }
void Ending::on_second(std::function<void()> call) const { state_->set(1, std::move(call)); }

}  // namespace assay::command

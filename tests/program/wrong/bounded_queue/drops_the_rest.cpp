// verdict: WRONG_RESULT
#include "bounded_queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>

struct BoundedQueue::State {
  explicit State(std::size_t most) : capacity(most) {}

  const std::size_t capacity;
  std::mutex mutex;
  std::condition_variable room, filled;
  std::deque<int> numbers;
  bool closed = false;
};

BoundedQueue::BoundedQueue(std::size_t capacity) : state_(std::make_unique<State>(capacity)) {}
BoundedQueue::~BoundedQueue() = default;

bool BoundedQueue::push(int number) {
  std::unique_lock lock(state_->mutex);
  state_->room.wait(lock, [&] { return state_->closed || state_->numbers.size() < state_->capacity; });
  if (state_->closed) return false;
  state_->numbers.push_back(number);
  state_->filled.notify_one();
  return true;
}

bool BoundedQueue::pop(int& number) {
  std::unique_lock lock(state_->mutex);
  state_->filled.wait(lock, [&] { return state_->closed || !state_->numbers.empty(); });
  if (state_->numbers.empty() || state_->closed) return false;
  number = state_->numbers.front();
  state_->numbers.pop_front();
  state_->room.notify_one();
  return true;
}

void BoundedQueue::close() {
  const std::scoped_lock lock(state_->mutex);
  state_->closed = true;
  state_->room.notify_all();
  state_->filled.notify_all();
}

std::size_t BoundedQueue::size() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->numbers.size();
}

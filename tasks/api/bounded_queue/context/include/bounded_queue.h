// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity);
  ~BoundedQueue();
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  bool push(int number);
  bool pop(int& number);
  void close();
  std::size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SPDX-License-Identifier: Apache-2.0
#undef NDEBUG
#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "bounded_queue.h"

namespace {

using namespace std::chrono_literals;

void keeps_the_order() {
  BoundedQueue queue(3);
  assert(queue.size() == 0);
  for (int i = 0; i < 3; ++i) assert(queue.push(i));
  assert(queue.size() == 3);
  for (int i = 0; i < 3; ++i) {
    int got = -1;
    assert(queue.pop(got) && got == i);
  }
  assert(queue.size() == 0);
}

void waits_while_it_is_full() {
  BoundedQueue queue(1);
  assert(queue.push(1));
  std::atomic<bool> done = false;
  std::thread pusher([&] {
    assert(queue.push(2));
    done = true;
  });
  std::this_thread::sleep_for(50ms);
  assert(!done && queue.size() == 1);
  int got = 0;
  assert(queue.pop(got) && got == 1);
  pusher.join();
  assert(queue.pop(got) && got == 2);
}

void waits_while_it_is_empty() {
  BoundedQueue queue(2);
  std::atomic<int> got = 0;
  std::thread popper([&] {
    int number = 0;
    assert(queue.pop(number));
    got = number;
  });
  std::this_thread::sleep_for(50ms);
  assert(got == 0);
  assert(queue.push(7));
  popper.join();
  assert(got == 7);
}

void gives_the_rest_after_its_end() {
  BoundedQueue queue(4);
  assert(queue.push(1) && queue.push(2));
  queue.close();
  queue.close();
  assert(!queue.push(3));
  assert(queue.size() == 2);
  int got = 0;
  assert(queue.pop(got) && got == 1);
  assert(queue.pop(got) && got == 2);
  assert(!queue.pop(got));
}

void ends_all_waits() {
  BoundedQueue full(1), empty(1);
  assert(full.push(0));
  std::atomic<int> ended = 0;
  std::vector<std::thread> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.emplace_back([&] { ended += !full.push(1); });
    waiting.emplace_back([&] {
      int number = 0;
      ended += !empty.pop(number);
    });
  }
  std::this_thread::sleep_for(50ms);
  full.close();
  empty.close();
  for (std::thread& thread : waiting) thread.join();
  assert(ended == 6);
}

void loses_nothing_between_threads() {
  constexpr int kProducers = 4, kEach = 20000;
  for (const std::size_t capacity : {std::size_t{1}, std::size_t{3}, std::size_t{64}}) {
    BoundedQueue queue(capacity);
    std::vector<std::vector<int>> got(3);
    std::vector<std::thread> threads;
    std::atomic<bool> too_large = false;
    for (int p = 0; p < kProducers; ++p)
      threads.emplace_back([&, p] {
        for (int i = 0; i < kEach; ++i) {
          assert(queue.push(p * kEach + i));
          if (queue.size() > capacity) too_large = true;
        }
      });
    std::vector<std::thread> poppers;
    for (std::vector<int>& mine : got)
      poppers.emplace_back([&] {
        for (int number = 0; queue.pop(number);) mine.push_back(number);
      });
    for (std::thread& thread : threads) thread.join();
    queue.close();
    for (std::thread& thread : poppers) thread.join();
    std::vector<int> all;
    for (const std::vector<int>& mine : got) {
      std::vector<int> last(kProducers, -1);
      for (const int number : mine) {
        int& before = last[number / kEach];
        assert(number > before);  // of one producer, in its order
        before = number;
      }
      all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    assert(!too_large && all.size() == std::size_t{kProducers} * kEach);
    for (std::size_t i = 0; i < all.size(); ++i) assert(all[i] == static_cast<int>(i));
  }
}

}  // namespace

int main() {
  keeps_the_order();
  waits_while_it_is_full();
  waits_while_it_is_empty();
  gives_the_rest_after_its_end();
  ends_all_waits();
  loses_nothing_between_threads();
  std::puts("all right");
}

// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "run_jobs.h"

namespace {

using namespace std::chrono_literals;
using Jobs = std::vector<std::function<void()>>;

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(EXIT_FAILURE);
}

void calls_each_once(int count, int threads) {
  const std::unique_ptr<std::atomic<int>[]> called(new std::atomic<int>[count > 0 ? count : 1]());
  Jobs jobs;
  for (int i = 0; i < count; ++i) jobs.emplace_back([&called, i] { ++called[i]; });
  run_jobs(jobs, threads);
  for (int i = 0; i < count; ++i) require(called[i] == 1, "each job is called once");
}

void uses_its_threads(int threads) {
  std::atomic<int> running = 0, most = 0, met = 0;
  Jobs jobs;
  for (int i = 0; i < 2 * threads; ++i)
    jobs.emplace_back([&] {
      const int now = ++running;
      for (int old = most; now > old && !most.compare_exchange_weak(old, now);) {
      }
      const auto end = std::chrono::steady_clock::now() + 5s;
      while (most < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      met += most >= threads;
      --running;
    });
  run_jobs(jobs, threads);
  require(most == threads, "as many jobs run at a time as there are threads");
  require(met == 2 * threads && running == 0, "all jobs have ended");
}

void throws_the_first(int threads) {
  std::atomic<int> called = 0;
  Jobs jobs;
  for (int i = 0; i < 20; ++i)
    jobs.emplace_back([&called, i] {
      ++called;
      if (i == 7) std::this_thread::sleep_for(30ms);  // later than the others that throw
      if (i == 7 || i == 9 || i == 19) throw std::runtime_error(std::to_string(i));
    });
  std::string got;
  try {
    run_jobs(jobs, threads);
  } catch (const std::runtime_error& error) {
    got = error.what();
  }
  require(called == 20, "the jobs after one that throws are called");
  require(got == "7", "the exception of the lowest number is thrown");
}

}  // namespace

int main() {
  for (const int threads : {1, 2, 7})
    for (const int count : {0, 1, 2, 6, 1000}) calls_each_once(count, threads);
  for (const int threads : {1, 2, 4}) uses_its_threads(threads);
  for (const int threads : {1, 3}) throws_the_first(threads);
  std::puts("all right");
  return EXIT_SUCCESS;
}

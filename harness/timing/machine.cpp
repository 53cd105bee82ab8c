// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/machine.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "assay/sandbox/processors.h"
#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"
#include "assay/timing/machine_state.h"

namespace assay::timing {
namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

using Clock = std::chrono::steady_clock;

/// Best rate over repeated runs of `work` (amount of work each) for about `seconds`.
double best_rate(double amount, double seconds, const std::function<void()>& work) {
  double best = 0;
  const auto begin = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
    const auto start = Clock::now();
    work();
    best = std::max(best, amount / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

// The widest registers that candidates are compiled for: wider vectors would be split and spill.
#if defined(__AVX512F__)
constexpr int kLaneBytes = 64;
#elif defined(__AVX__)
constexpr int kLaneBytes = 32;
#else
constexpr int kLaneBytes = 16;
#endif
using Lanes [[gnu::vector_size(kLaneBytes)]] = float;

/// Twelve independent chains of multiply-adds hide the latency of any current processor.
double multiply_add_rate() {
  constexpr int kChains = 12, kSteps = 20000;
  static volatile float sink;
  return best_rate(2.0 * kChains * kSteps * (kLaneBytes / 4), 0.15, [] {
    Lanes chain[kChains];
    const Lanes factor = Lanes{} + 0.999f, addend = Lanes{} + 0.001f;
    for (auto& c : chain) c = Lanes{} + sink;
    for (int step = 0; step < kSteps; ++step)
      for (auto& c : chain) c = c * factor + addend;
    Lanes total{};
    for (const auto& c : chain) total += c;
    sink = total[0];
  });
}

double copy_rate() {
  constexpr std::size_t kBytes = std::size_t{6} << 20;
  std::vector<char> from(kBytes, 1), to(kBytes);
  return best_rate(2.0 * kBytes, 0.15, [&] { std::memcpy(to.data(), from.data(), kBytes); });
}

/// Short blocks inside a buffer of half a first-level cache: no kernel's outputs are written faster.
double write_rate() {
  constexpr std::size_t kBytes = 16384, kBlock = 1024, kRounds = 200;
  alignas(64) static thread_local char buffer[kBytes];
  return best_rate(static_cast<double>(kBytes * kRounds), 0.1, [] {
    for (std::size_t round = 0; round < kRounds; ++round)
      for (std::size_t at = 0; at < kBytes; at += kBlock) {
        std::memset(buffer + at, static_cast<int>(round), kBlock);
        asm volatile("" : : "r"(buffer) : "memory");
      }
  });
}

/// Inputs lie in the shared cache or beyond when a call begins, which is slower.
double read_rate() {
  constexpr std::size_t kVectors = (std::size_t{96} << 10) / sizeof(Lanes), kRounds = 20, kChains = 8;
  static_assert(kVectors % kChains == 0);
  std::vector<Lanes> buffer(kVectors);
  return best_rate(static_cast<double>(kVectors * sizeof(Lanes) * kRounds), 0.1, [&] {
    for (std::size_t round = 0; round < kRounds; ++round) {
      Lanes total[kChains]{};
      for (std::size_t at = 0; at < kVectors; at += kChains)
        for (std::size_t chain = 0; chain < kChains; ++chain) total[chain] += buffer[at + chain];
      for (const Lanes& each : total) asm volatile("" : : "x"(each) : "memory");
    }
  });
}

double on_all(const std::vector<int>& cpus, double (*rate)()) {
  // A future brings back what a thread throws, and is waited for where the next thread cannot be had.
  std::vector<std::future<double>> rates;
  for (const int cpu : cpus)
    rates.push_back(std::async(std::launch::async, [cpu, rate] {
      sandbox::pin_to(cpu);
      return rate();
    }));
  double sum = 0;
  for (auto& each : rates) sum += each.get();
  return sum;
}

}  // namespace

std::string machine_fingerprint() {
  utsname system{};
  uname(&system);
  const std::string cpu = processor_name();
  const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  return fmt::format("{} {}, {} cpus", spec::digest(fmt::format("{}/{}/{}/{}", cpu, count, system.release, system.machine)).substr(0, 8),
                     cpu, count);
}

MachinePeaks measure_peaks() {
#if defined(ASSAY_NATIVE)
  constexpr bool kNative = true;
#else
  constexpr bool kNative = false;
#endif
  const std::vector<int> cpus = sandbox::processors().boxes;
  return {on_all(cpus, multiply_add_rate), on_all(cpus, copy_rate), on_all(cpus, write_rate), kNative, on_all(cpus, read_rate)};
}

void save_peaks(const MachinePeaks& peaks, const std::filesystem::path& file) {
  const nlohmann::ordered_json json{{"flops", peaks.flops},   {"bandwidth", peaks.bandwidth}, {"writing", peaks.writing},
                                    {"native", peaks.native}, {"reading", peaks.reading},     {"state", machine_state()}};
  spec::write_whole_file("machine", file, json.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + '\n');
}

MachinePeaks load_peaks(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error(fmt::format(
        "bench: {} is not there. do: run `assay-judge machine --out` first, as the CTest fixture assay.machine does", file.string()));
  if (const auto peaks = parse_peaks({std::istreambuf_iterator<char>(in), {}})) return *peaks;
  throw std::runtime_error(fmt::format("bench: {} is damaged. do: run the CTest fixture assay.machine again", file.string()));
}

std::optional<MachinePeaks> parse_peaks(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    const MachinePeaks peaks{json.at("flops").get<double>(), json.at("bandwidth").get<double>(), json.at("writing").get<double>(),
                             json.at("native").get<bool>(), json.value("reading", 0.0)};
    if (peaks.flops > 0 && peaks.bandwidth > 0 && peaks.writing > 0 && peaks.reading >= 0) return peaks;
  } catch (const nlohmann::json::exception&) {
  }
  return {};
}

}  // namespace assay::timing

// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/machine_state.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace assay::timing {
namespace {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string first_line(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  return text.empty() ? "unknown" : text.substr(0, text.find('\n'));
}

/// The processor's driver decides which of the two files there is, and one of them is inverted.
std::string boost(const std::filesystem::path& devices) {
  if (const std::string text = first_line(devices / "cpufreq/boost"); text != "unknown") return text == "0" ? "off" : "on";
  if (const std::string text = first_line(devices / "intel_pstate/no_turbo"); text != "unknown") return text == "0" ? "on" : "off";
  return "unknown";
}

long swap_mib(const std::filesystem::path& meminfo) {
  long total = 0, unused = 0;
  std::istringstream lines(read_text(meminfo));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("SwapTotal:")) total = std::atol(line.c_str() + 10);
    if (line.starts_with("SwapFree:")) unused = std::atol(line.c_str() + 9);
  }
  return (total - unused) / 1024;
}

double load_average(const std::filesystem::path& loadavg) { return std::atof(read_text(loadavg).c_str()); }

long involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

nlohmann::ordered_json machine_state(const std::filesystem::path& root) {
  const std::filesystem::path devices = root / "sys/devices/system/cpu";
  return {{"governor", first_line(devices / "cpu0/cpufreq/scaling_governor")},
          {"boost", boost(devices)},
          {"smt", first_line(devices / "smt/control")},
          {"aslr", first_line(root / "proc/sys/kernel/randomize_va_space")},
          {"transparent_huge_pages", first_line(root / "sys/kernel/mm/transparent_hugepage/enabled")},
          {"swap_mib", swap_mib(root / "proc/meminfo")},
          {"load", load_average(root / "proc/loadavg")}};
}

ProcessorTime processor_time(const std::string& proc_stat, const std::vector<int>& cpus) {
  // cpu<N> user nice system idle iowait irq softirq steal guest guest_nice; guest time is part of user time.
  constexpr int kColumns = 8, kSteal = 7;
  ProcessorTime sum;
  std::istringstream lines(proc_stat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto is_named = [&](int cpu) { return name == "cpu" + std::to_string(cpu); };
    if (std::ranges::none_of(cpus, is_named)) continue;
    double ticks = 0;
    for (int column = 0; column < kColumns && words >> ticks; ++column) {
      sum.total += ticks;
      if (column == kSteal) sum.stolen += ticks;
    }
  }
  return sum;
}

std::optional<double> stalled_microseconds(const std::string& pressure) {
  const std::size_t line = pressure.find("some "), total = pressure.find("total=", line);
  if (line == std::string::npos || total == std::string::npos) return {};
  return std::atof(pressure.c_str() + total + 6);
}

NoiseMeter::NoiseMeter(std::vector<int> cpus, std::filesystem::path root)
    : cpus_(std::move(cpus)),
      proc_(std::move(root) / "proc"),
      started_(seconds_now()),
      time_(processor_time(read_text(proc_ / "stat"), cpus_)),
      stalled_(stalled_microseconds(read_text(proc_ / "pressure/cpu"))),
      switches_(involuntary_switches()),
      load_(load_average(proc_ / "loadavg")) {}

record::Noise NoiseMeter::read() const {
  record::Noise noise;
  const ProcessorTime now = processor_time(read_text(proc_ / "stat"), cpus_);
  const auto stalled = stalled_microseconds(read_text(proc_ / "pressure/cpu"));
  const double seconds = seconds_now() - started_;
  if (now.total > time_.total) noise.steal = (now.stolen - time_.stolen) / (now.total - time_.total);
  if (stalled && stalled_ && seconds > 0) noise.pressure = std::min(1.0, (*stalled - *stalled_) * 1e-6 / seconds);
  noise.switches = involuntary_switches() - switches_;
  noise.load = load_;
  return noise;
}

}  // namespace assay::timing

// SPDX-License-Identifier: Apache-2.0
#include "metrics_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace assay::score {
namespace {

std::string metric(const char* name, const char* type, const char* help) {
  return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

std::uint64_t resident_bytes() {
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::string metrics_text(const Statistics& now, const std::map<int, std::uint64_t>& responses) {
  std::string text = metric("assay_samples_waiting", "gauge", "Samples that wait.");
  text += fmt::format("assay_samples_waiting {}\n", now.waiting);
  text += metric("assay_samples_running", "gauge", "Samples that are being judged.");
  text += fmt::format("assay_samples_running {}\n", now.running);
  text += metric("assay_samples_total", "counter", "Samples answered, by verdict.");
  for (const auto& [verdict, count] : now.verdicts) text += fmt::format("assay_samples_total{{verdict=\"{}\"}} {}\n", verdict, count);
  text += metric("assay_samples_masked_total", "counter", "Samples answered without a reward.");
  text += fmt::format("assay_samples_masked_total {}\n", now.masked);
  text += metric("assay_samples_reused_total", "counter", "Samples answered by the verdict on an equal source.");
  text += fmt::format("assay_samples_reused_total {}\n", now.reused);
  text += metric("assay_stage_seconds", "summary", "Time that stages took.");
  for (const record::Stage stage : record::all_stages) {
    const StageCount& of = now.stages[static_cast<std::size_t>(stage)];
    text += fmt::format("assay_stage_seconds_sum{{stage=\"{0}\"}} {1:.3f}\nassay_stage_seconds_count{{stage=\"{0}\"}} {2}\n",
                        record::name(stage), of.seconds, of.count);
  }
  text += metric("assay_http_responses_total", "counter", "Responses, by status.");
  for (const auto& [status, count] : responses) text += fmt::format("assay_http_responses_total{{code=\"{}\"}} {}\n", status, count);
  text += metric("process_resident_memory_bytes", "gauge", "Resident memory of the server.");
  text += fmt::format("process_resident_memory_bytes {}\n", resident_bytes());
  return text;
}

}  // namespace assay::score

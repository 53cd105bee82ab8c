// SPDX-License-Identifier: Apache-2.0
#include "waivers.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/spec/nearest.h"

namespace assay::admission {
namespace {

constexpr const char* kMayNot = "cannot be waived: a kernel that computes nothing would pass. do: mend the task, or mark it degenerate";
constexpr const char* kNotNeeded = "is not needed: the cases show it. do: remove the waiver";

/// Why the waiver excuses nothing; empty where it does.
std::string waive(const spec::Waiver& waiver, const std::function<bool(const std::string&)>& shows, Admission& admission) {
  const auto alteration = std::ranges::find(admission.alterations, waiver.alteration, &AlterationResult::name);
  if (alteration != admission.alterations.end()) {
    if (!alteration->may_be_waived) return kMayNot;
    if (alteration->caught() && !shows(waiver.alteration)) return kNotNeeded;
    alteration->waived = waiver.why;
    return {};
  }
  const auto finding = std::ranges::find(admission.findings, waiver.alteration, &Finding::name);
  if (finding != admission.findings.end()) {
    if (finding->excuse != Finding::Excuse::waiver) return kMayNot;
    finding->waived = waiver.why;
    return {};
  }
  if (shows(waiver.alteration)) return {};
  std::vector<std::string> known;
  for (const AlterationResult& each : admission.alterations) known.push_back(each.name);
  for (const Finding& each : admission.findings) known.push_back(each.name);
  return fmt::format("names nothing that is altered or found{}. do: copy a name that `assay admit` prints, or remove the waiver",
                     spec::did_you_mean(waiver.alteration, known));
}

}  // namespace

void waive(const spec::Task& task, const std::function<bool(const std::string& name)>& shows, Admission& admission) {
  for (const spec::Waiver& waiver : task.waivers)
    if (const std::string bad = waive(waiver, shows, admission); !bad.empty())
      admission.bad_waivers.push_back(fmt::format("{}:{}:{}: waiver: '{}' {}", waiver.location.file, waiver.location.line,
                                                  waiver.location.column, waiver.alteration, bad));
}

}  // namespace assay::admission

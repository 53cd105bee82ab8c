// SPDX-License-Identifier: Apache-2.0
#include "stage_record.h"

#include "assay/timing/machine.h"

namespace assay::stages {

using timing::machine_fingerprint;
using trial::Candidate, trial::Plan;

record::Record begin_record(const Plan& plan, const Candidate& candidate, record::Stage stage) {
  record::Record record;
  record.sample = {candidate.run, plan.task, plan.backend, candidate.sample};
  record.stage = stage;
  record.category = plan.category;
  record.difficulty = plan.difficulty;
  record.suites = plan.suites;
  record.machine = machine_fingerprint();
  record.profile = plan.profile;
  return record;
}

}  // namespace assay::stages

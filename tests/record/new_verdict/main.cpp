// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "assay/record/output.h"

int main() {
  using namespace assay::record;
  Record record;
  record.sample = {"some-model", "relu", "cpp", 0};
  set_verdict(record, verdict_named("TOO_HOT").value(), "99 degrees");
  print_result(record, "");
  return parse_record(to_json(record).dump()) == record && exit_code(record.verdict) == 1 ? 0 : 1;
}

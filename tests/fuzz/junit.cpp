// SPDX-License-Identifier: Apache-2.0
// The JUnit that CTest wrote, from its XML to every format of the report.
#include "assay/report/error.h"
#include "property.h"
#include "report_properties.h"

namespace assay::junit_target {

FUZZ_TARGET(junit) {
  assay::accepts<assay::report::InputError>("some.xml", [&] {
    const assay::report::JUnit junit = assay::report::parse_junit(assay::text_of(data, size), "some.xml");
    assay::require(!junit.tests.empty(), "a JUnit that is read holds a test");
    check_report(junit);
  });
  return 0;
}

}  // namespace assay::junit_target

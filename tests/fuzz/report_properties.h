// SPDX-License-Identifier: Apache-2.0
// Whatever the tests of a JUnit say, a report of them is either refused with an InputError or well-formed in every format.
#pragma once

#include "assay/report/junit.h"

namespace assay::report {

void check_report(const JUnit& junit);

}  // namespace assay::report

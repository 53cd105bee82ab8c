// SPDX-License-Identifier: Apache-2.0
// What CTest has allotted to this test (kernel_backend(RESOURCES)): which of several devices of one kind.
#pragma once

#include <string>

#include "assay/record/record.h"

namespace assay::compile {

/// The id of the first resource of this test's first group, from the environment that CTest gives it; empty where it has none.
std::string allotted_resource();

/// A device's selector ends in "#<index>" where there are several of its name. The one that is allotted takes the place of the one
/// that `record`, a compilation's, names: a binary runs on all of them.
void take_allotted_device(record::Record& record);

}  // namespace assay::compile

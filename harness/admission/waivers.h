// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "assay/admission/admission.h"

namespace assay::admission {

/// Marks what the task's waivers excuse, and notes in admission.bad_waivers those that excuse nothing: an unknown name, one that may
/// not be waived, one that is not needed. shows(name): whether another draw of the cases needs it.
void waive(const spec::Task& task, const std::function<bool(const std::string& name)>& shows, Admission& admission);

}  // namespace assay::admission

// SPDX-License-Identifier: Apache-2.0
// Names that kernel.h, a device's source or a line of Python cannot have.
#pragma once

#include <string>
#include <string_view>

namespace assay::spec {

/// What `name` is already, so that no tensor or dimension can have it ("a word of C++"); empty where it is free.
std::string taken_as_parameter(std::string_view name);
/// The same of a task, whose name is a function's.
std::string taken_as_function(std::string_view name);

}  // namespace assay::spec

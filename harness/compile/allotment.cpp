// SPDX-License-Identifier: Apache-2.0
#include "allotment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace assay::compile {
namespace {

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

/// "Platform/Name" of "Platform/Name#3"; a name may have a '#' of its own.
std::string without_index(const std::string& selector) {
  const std::size_t digits = selector.find_last_not_of("0123456789") + 1;
  return digits < selector.size() && digits > 0 && selector[digits - 1] == '#' ? selector.substr(0, digits - 1) : selector;
}

}  // namespace

std::string allotted_resource() {
  const std::string types = variable("CTEST_RESOURCE_GROUP_0");  // "gpus", or several of them, with commas
  std::string type = types.substr(0, types.find(','));
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string allotted = variable("CTEST_RESOURCE_GROUP_0_" + type);  // "id:3,slots:1", or several of them, with semicolons
  constexpr std::string_view kKey = "id:";
  if (type.empty() || !allotted.starts_with(kKey)) return "";
  return allotted.substr(kKey.size(), allotted.find_first_of(",;") - kKey.size());
}

void take_allotted_device(record::Record& record) {
  const std::string id = allotted_resource();
  if (id.empty() || !record.device) return;
  record.device->selector = without_index(record.device->selector) + "#" + id;
}

}  // namespace assay::compile

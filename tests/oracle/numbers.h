// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace assay::oracle {

inline constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace assay::oracle

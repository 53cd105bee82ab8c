// SPDX-License-Identifier: Apache-2.0
// The shared library that a task's harness/oracle.cpp and harness/verify.cpp have become, loaded into this process.
#pragma once

#include <string>
#include <vector>

#include "assay/oracle/harness.h"
#include "assay/oracle/tensor.h"

namespace assay::oracle {

/// A tensor of a call: its numbers, and what describes it.
struct HarnessTensor {
  std::string name;
  Shape shape;
  std::vector<double> reals;  ///< of a real one
  std::vector<std::int64_t> integers;
  std::vector<double> scales;  ///< NaN: not written
  bool is_real = true;

  harness::RawTensor raw();
};
HarnessTensor harness_tensor(const spec::TensorSpec& spec, const Shape& shape);
/// The same with the elements of a row-major array of the tensor's type.
HarnessTensor harness_tensor(const spec::TensorSpec& spec, const Shape& shape, const void* elements);

using HarnessEntry = void (*)(const harness::RawCall*);

/// assay_oracle, assay_verify or assay_another of `library`, which stays loaded. nullptr where it has none. Throws std::runtime_error
/// where it cannot be loaded.
HarnessEntry harness_entry(const std::string& library, const char* symbol);

/// Calls `entry` in this process; std::runtime_error with what it threw.
void call_harness(HarnessEntry entry, std::vector<HarnessTensor>& inputs, std::vector<HarnessTensor>& outputs);

}  // namespace assay::oracle

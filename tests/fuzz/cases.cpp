// SPDX-License-Identifier: Apache-2.0
// cases.bin: whatever its bytes, no more memory than the file is long, and nothing that the comparator trips over.
#include <sstream>

#include "assay/cases/expected.h"
#include "property.h"

namespace assay::cases_target {
namespace {

using cases::Bytes, cases::CaseFile, cases::compare, cases::Comparison, cases::ExpectedTensor, cases::PreparedCase, cases::read_cases,
    cases::write_cases;

CaseFile read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_cases(in, bytes.size(), "some/cases.bin");
}

std::string written(const CaseFile& cases) {
  std::ostringstream out;
  write_cases(cases, out);
  return out.str();
}

/// Zeros in the place of each output: the comparator may accept them, and must be able to look at them.
void compare_zeros(const PreparedCase& entry) {
  std::vector<Bytes> outputs;
  for (const ExpectedTensor& output : entry.outputs) {
    require(output.exact.size() + output.values.size() == static_cast<std::size_t>(spec::element_count(output.shape)),
            "an output has a value for each element", output.name);
    outputs.emplace_back(output.bytes());
  }
  const Comparison comparison = compare(entry, outputs);
  require(comparison.accepted == comparison.detail.empty(), "a rejection says why", comparison.detail);
}

}  // namespace

FUZZ_TARGET(cases) {
  const std::string bytes(text_of(data, size));
  accepts<std::runtime_error>("some/cases.bin", [&] {
    const CaseFile cases = read(bytes);
    const std::string again = written(cases);
    require(written(read(again)) == again, "cases come back as they were");
    for (const PreparedCase& entry : cases.cases) compare_zeros(entry);
  });
  return 0;
}

}  // namespace assay::cases_target

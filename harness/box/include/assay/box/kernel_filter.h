// SPDX-License-Identifier: Apache-2.0
// What a candidate may ask of the operating system, from its first instruction on: memory, threads, the time, random bytes, output,
// and what loading a library takes. What else a kernel may ask for and do without is refused with an error; what none does ends
// the process, by the sandbox's own filter (restrictions.cpp). docs/trust.md has the table.
#pragma once

namespace assay::box {

/// Whether a process may ask if a file is there.
enum class FileProbes { refused, allowed };

/// Installs the filter for all threads of this process, for good: under it no other can be installed. False where the kernel
/// does not allow it.
bool restrict_to_kernel_calls(FileProbes probes = FileProbes::refused);

}  // namespace assay::box

// SPDX-License-Identifier: Apache-2.0
// What a loaded kernel may ask of the operating system: memory, threads, the time, random bytes, output. Anything else ends
// the process (verdict POLICY); asking for files is refused with an error, since honest libraries probe for some.
#pragma once

namespace assay {

/// Whether a process may ask if a file is there. Reading one is refused in any case.
enum class FileProbes { refused, allowed };

/// Installs the filter for all threads of this process, those that a constructor has started too. False where the kernel
/// does not allow it.
bool restrict_to_kernel_calls(FileProbes probes = FileProbes::refused);

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Who runs on which processor.
#pragma once

#include <sys/types.h>

#include <vector>

namespace assay::sandbox {

/// The processors that we may use: one for the judge, the others for the boxes (the same one where it is the only one).
struct Processors {
  int judge = 0;
  std::vector<int> boxes;
};
Processors processors();
/// For judges that run side by side: how many have two processors of their own each, 1 at least, and the two of one, counted from 0.
int shares_of(const Processors& all);
Processors share_of(const Processors& all, int number);

/// Where `thread`, and what it will start, may run; 0: the calling thread.
void restrict_to(pid_t thread, const std::vector<int>& cpus);
/// Confines the calling thread to `cpu`. Call processors() before: afterwards it sees that one alone.
void pin_to(int cpu);

}  // namespace assay::sandbox

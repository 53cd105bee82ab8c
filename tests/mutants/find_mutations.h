// SPDX-License-Identifier: Apache-2.0
// Every mutation that a source offers. To add one: find_mutations.cpp, in the function of its kind.
#pragma once

#include "mutation.h"
#include "source.h"

namespace assay {

/// In the order of the file; no two give the same text. Code between #if and #endif is left alone: which
/// branch is compiled depends on the machine.
std::vector<Mutation> find_mutations(const Source& source);

/// The whole file with the mutation in it.
std::string apply(const Source& source, const Mutation& mutation);

}  // namespace assay

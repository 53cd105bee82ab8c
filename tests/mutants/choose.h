// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "mutation.h"

namespace assay {

/// `count` of the mutations, or all if there are fewer, spread evenly over kinds, functions and lines. `seed`
/// (the file's name) and the mutations' own descriptions decide among equals: the same on every machine, and
/// a smaller count gives the beginning of what a larger one gives.
std::vector<Mutation> choose(std::vector<Mutation> mutations, std::size_t count, std::string_view seed);

}  // namespace assay

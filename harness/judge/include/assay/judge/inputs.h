// SPDX-License-Identifier: Apache-2.0
// Draws a case's dimensions and inputs from a seed: the same bytes on every machine (integer arithmetic and exactly
// rounded operations alone, no library functions).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/oracle/operator.h"
#include "assay/spec/task.h"

namespace assay {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), seeded from a seed and a name, so that streams do not depend on order.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, const std::string& name);
  std::uint64_t bits();
  /// Uniform in [0, bound); 0 for bound 0.
  std::uint64_t below(std::uint64_t bound);
  double uniform();  ///< in [0, 1), 53 bits
  double normal();   ///< sum of four uniforms, scaled to mean 0 and variance 1: a bell within +-3.47

 private:
  std::uint64_t state_;
};

/// A seed as people write it, decimal or 0x...; std::runtime_error, beginning with `who`, where `text` is none.
std::uint64_t parse_seed(const std::string& text, const std::string& who);
/// A fresh seed from the kernel, or the value of the environment variable ASSAY_SEED where it is set ("0x..." or decimal).
std::uint64_t fresh_seed();
std::string seed_text(std::uint64_t seed);

using Bytes = std::vector<std::byte>;

/// One extent for each of the case's dimensions.
std::map<std::string, std::int64_t> draw_dims(const Case& entry, std::uint64_t seed);

/// The task's shapes for timing on `target` ("cpu", "gpu"), with every range drawn; none where it has no such timing.
std::vector<std::map<std::string, std::int64_t>> draw_timing_shapes(const Task& task, const std::string& target, std::uint64_t seed);

/// One input's elements, row-major, as the candidate gets them. std::invalid_argument where init and type do not fit.
Bytes draw_input(const TensorSpec& spec, const Shape& shape, const InputInit& init,
                 const std::map<std::string, std::int64_t>& dims, Specials policy, RandomStream random);

/// All inputs of `task` at `dims`; `overrides` are a case's own.
std::vector<Bytes> draw_inputs(const Task& task, const std::map<std::string, InputInit>& overrides,
                               const std::map<std::string, std::int64_t>& dims, std::uint64_t seed,
                               const std::string& stream);

}  // namespace assay

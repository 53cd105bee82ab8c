// SPDX-License-Identifier: Apache-2.0
// Evaluates a model, node by node, over a chosen scalar.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "assay/oracle/operator.h"

namespace assay {

/// Order in which sums are taken: each is what an honest kernel might do. Bounds are learnt from the first four; the other
/// two are honest kernels that the bounds have not seen, for admission.
enum class SumOrder { natural, sequential, reversed, pairwise, strided, blocked };

/// The order for evaluations over float and double on this thread: that of the living SumOrderScope, else natural, which is
/// Eigen's own (vectorised, blocked).
SumOrder sum_order();

/// Sets a mode of evaluation on this thread while the object lives, and restores the earlier one afterwards.
class SumOrderScope {
 public:
  explicit SumOrderScope(SumOrder order);
  ~SumOrderScope();
  SumOrderScope(const SumOrderScope&) = delete;
  SumOrderScope& operator=(const SumOrderScope&) = delete;

 private:
  SumOrder before_;
};

/// Over Bounded: each float16 or bfloat16 result of a node counts one rounding to its type, as an eager framework's kernels
/// have it. Else all is computed in float32 and rounded when it is stored.
class HalfRoundingScope {
 public:
  HalfRoundingScope();
  ~HalfRoundingScope();
  HalfRoundingScope(const HalfRoundingScope&) = delete;
  HalfRoundingScope& operator=(const HalfRoundingScope&) = delete;

 private:
  bool before_;
};

/// Over Bounded: honest kernels compute in double, not in float32 (bounded.h, largest_number).
class DoubleRangeScope {
 public:
  explicit DoubleRangeScope(bool in_double);
  ~DoubleRangeScope();
  DoubleRangeScope(const DoubleRangeScope&) = delete;
  DoubleRangeScope& operator=(const DoubleRangeScope&) = delete;

 private:
  double before_;
};

/// The cost of one evaluation, summed over operators; bodies of control flow count each time they run.
struct Cost {
  double flops = 0;  ///< floating-point operations; 1 for a multiplication, an addition, a function value
  double bytes = 0;  ///< inputs read and outputs written by each node, in the model's own element types
};

/// Values of the graph's outputs for `inputs` (in the graph's order).
/// `placements`, where given, are where real outputs are to be written (nullptr: anywhere).
/// Throws OperatorError, with the node's place in task.yaml.
template <class T>
std::vector<Value<T>> evaluate(const Graph& graph, const std::vector<Value<T>>& inputs, Cost* cost = nullptr,
                               const std::vector<T*>& placements = {});

/// Throws SpecError at the first node whose operator nothing defines.
void require_known_operators(const Graph& graph);

/// The narrowest special-value policy over the graph's nodes.
Specials special_policy(const Graph& graph);

/// Dimensions by name, from the concrete shapes of a signature's tensors; std::invalid_argument where two disagree.
std::map<std::string, std::int64_t> bind_dims(const std::vector<TensorSpec>& specs, const std::vector<Shape>& shapes);

}  // namespace assay

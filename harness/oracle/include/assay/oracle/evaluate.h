// SPDX-License-Identifier: Apache-2.0
// Evaluates a model, node by node, over a chosen scalar.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/oracle/operator.h"

namespace assay::oracle {

/// Order in which sums are taken: each is what an honest kernel might do. Strided and blocked ones are honest kernels
/// that the bounds have not seen, for admission. Fused: sequential, and a product rounds once together with its sum. Split: as natural,
/// and products of matrices by one level of Strassen.
enum class SumOrder { natural, sequential, reversed, pairwise, strided, blocked, fused, split };

/// The order for evaluations over float and double on this thread: that of the living SumOrderScope, else natural, which is
/// Eigen's own (vectorised, blocked).
SumOrder sum_order();
/// Whether the living SumOrderScope's order is `split`, for which sum_order() is natural.
bool products_are_split();

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
  double flops = 0;      ///< floating-point operations; 1 for a multiplication, an addition, a function value
  double bytes = 0;      ///< inputs read and outputs written by each node, in the model's own element types
  double scattered = 0;  ///< bytes that nodes write into a scattered_input(), and read there for a reduction
};

/// The input of the graph that a Scatter node gives back as an output, with a few elements written; nothing of other nodes. A kernel that
/// works in place moves those elements alone.
const std::string* scattered_input(const Graph& graph, const Node& node);

/// Values of the graph's outputs for `inputs` (in the graph's order). `dims` are what its attributes may name.
/// `placements`, where given, are where real outputs are to be written (nullptr: anywhere).
/// Throws OperatorError, with the node's place in task.yaml.
template <class T>
std::vector<Value<T>> evaluate(const Graph& graph, const spec::Dims& dims, const std::vector<Value<T>>& inputs, Cost* cost = nullptr,
                               const std::vector<T*>& placements = {});
/// The same of a graph whose attributes are all numbers.
template <class T>
std::vector<Value<T>> evaluate(const Graph& graph, const std::vector<Value<T>>& inputs, Cost* cost = nullptr) {
  return evaluate<T>(graph, spec::Dims{}, inputs, cost);
}

template <class T>
class Scope;

/// An evaluation node by node, for those who look at what lies between inputs and outputs.
template <class T>
class Evaluation {
 public:
  /// Inputs are to be put before the nodes that read them.
  Evaluation(const Graph& graph, spec::Dims dims, Cost* cost = nullptr);
  /// `recorded` has run to its end and kept its values: what is not put or run here is found there. It must outlive this.
  Evaluation(const Graph& graph, const Evaluation& recorded);
  ~Evaluation();
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  void run(std::size_t node);
  /// nullptr where no such value is there yet, or any more.
  const Value<T>* find(const std::string& name) const;
  void put(const std::string& name, Value<T> value);
  void drop(const std::string& name);
  /// Drops the values that no later node reads.
  void drop_dead(std::size_t node);
  std::vector<Value<T>> outputs() const;

 private:
  const Graph& graph_;
  spec::Dims dims_;
  Cost* cost_ = nullptr;
  std::unique_ptr<Scope<T>> scope_;
};

/// use(name) for every value that the node may read: its inputs, and in its bodies whatever they may capture.
void each_value_read(const Node& node, const std::function<void(const std::string&)>& use);

/// Throws SpecError at the first node whose operator nothing defines.
void require_known_operators(const Graph& graph);

/// The narrowest special-value policy over the graph's nodes.
Specials special_policy(const Graph& graph);

/// `dims`, and those that the concrete shapes of a signature's tensors give; std::invalid_argument where two disagree.
spec::Dims bind_dims(const std::vector<spec::TensorSpec>& specs, const std::vector<Shape>& shapes, spec::Dims dims);

}  // namespace assay::oracle

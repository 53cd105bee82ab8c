// SPDX-License-Identifier: Apache-2.0
// Draws with a structure that kernels rely on: offsets, permutations, masks, orthogonal matrices. A draw is one define_draw(...) in
// harness/spec/draws/*.cpp: its parameters, what it promises, where it cannot be met, and how its elements come about. No list in the
// code names it; the test Draws.* asks for its line in task.schema.json and docs/tasks.md, and for a test of its promise.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/spec/task.h"

namespace assay::spec {

/// Where a draw takes its random numbers from.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual std::uint64_t bits() = 0;
  std::uint64_t below(std::uint64_t bound);  ///< uniform in [0, bound); 0 for bound 0
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
};

/// An input at concrete extents, with how it is drawn.
struct DrawnInput {
  const TensorSpec& spec;
  const InputInit& init;
  const std::map<std::string, std::int64_t>& dims;
  Shape shape;
  std::map<std::string, const DrawnInput*> related;  ///< other inputs, by the parameter that names them
  std::vector<double> values;                        ///< row-major; empty before they are drawn

  bool has(const std::string& parameter) const { return init.numbers.contains(parameter) || init.names.contains(parameter); }
  double number(const std::string& parameter, double fallback) const;
  std::int64_t integer(const std::string& parameter, std::int64_t fallback) const;
  bool flag(const std::string& parameter, bool fallback = false) const { return number(parameter, fallback ? 1 : 0) != 0; }
  std::int64_t extent(const std::string& parameter) const;  ///< the value of an extent: "M * 16"
  /// Of the last axis, and how many such rows there are.
  std::int64_t columns() const { return shape.empty() ? 1 : shape.back(); }
  std::int64_t rows() const;
};

struct DrawParameter {
  /// An extent is a number, a dimension or a product of them. An input names another one, drawn as one of `words`; a word is one of them.
  enum class Kind : std::uint8_t { number, flag, extent, input, word };
  std::string name;
  Kind kind;
  bool required = false;
  std::vector<std::string> words = {};
};

struct Draw {
  std::string name;
  std::vector<ElementClass> types;
  std::vector<DrawParameter> parameters;
  /// What kernels may rely on, for the prompt, after "`x`: "; empty where it is nothing.
  std::string (*promise)(const TensorSpec& spec, const InputInit& init);
  /// Why it cannot be drawn; empty where it can. Values are not known yet, neither its own nor those of other inputs.
  std::string (*obstacle)(const DrawnInput& input);
  /// The values, row-major; those of the inputs that it names are known.
  std::vector<double> (*draw)(const DrawnInput& input, RandomSource& random);
};

/// Makes a draw known; for the initialiser of a constant.
bool define_draw(Draw draw);
const std::map<std::string, Draw>& all_draws();
/// nullptr: a distribution or a class of values without a structure, or unknown.
const Draw* find_draw(const std::string& name);

/// All inputs of `task` at `dims`, before they are drawn; `overrides` are a case's own. What is given must outlive them.
std::vector<DrawnInput> inputs_at(const Task& task, const std::map<std::string, InputInit>& overrides,
                                  const std::map<std::string, std::int64_t>& dims);

/// What kernels may rely on of each input that has a structure, as "`x`: sentence", in the inputs' order.
std::vector<std::string> promises_of(const Task& task);

}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// The launch block: how a candidate that is device code only is launched. It stands in a comment at the top
// of the candidate's source, is parsed once against the task, and evaluated at the dimensions of each call.
// docs/launch.md has the grammar.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/spec/task.h"

namespace assay::spec {

/// Where in a candidate's source something stands: line, and column in bytes, both from 1.
struct SourcePosition {
  int line = 1;
  int column = 1;
  bool operator==(const SourcePosition&) const = default;
};

/// What is wrong with a launch block, or cannot be evaluated: what() is "3:12: kernel 'f': what. got: ... do:
/// ...". Of the candidate's text it quotes at most 40 characters at a time, all of them printable ASCII.
class LaunchError : public std::runtime_error {
 public:
  LaunchError(SourcePosition at, const std::string& message);
  SourcePosition at() const { return at_; }
  /// what() without the place.
  const std::string& message() const { return message_; }

 private:
  SourcePosition at_;
  std::string message_;
};

/// Of an expression, in postfix order: each operation takes two values from a stack and leaves one.
struct LaunchStep {
  enum class Kind : std::uint8_t {
    number,
    dimension,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    minimum,
    maximum,
    div_up,
    round_up,
    whole_quotient
  };
  Kind kind = Kind::number;
  SourcePosition at;
  std::int64_t value = 0;  ///< number: itself; dimension: its index in LaunchBlock::dims
};

/// Constant parts are folded already: an expression without dimensions is a single number.
struct LaunchExpression {
  SourcePosition at;
  std::string text;  ///< for messages: at most 40 characters
  std::vector<LaunchStep> steps;
};

/// A buffer in global memory that lives for one call.
struct ScratchBuffer {
  std::string name;
  ElementType type = ElementType::f32;
  LaunchExpression count;  ///< elements
  SourcePosition at;
  bool is_zeroed = false;  ///< when a call begins
};

struct LaunchArgument {
  enum class Kind : std::uint8_t { buffer, i32, i64, local };
  Kind kind = Kind::buffer;
  std::size_t buffer = 0;               ///< buffer: the task's inputs, then its outputs, then scratch
  ElementType type = ElementType::f32;  ///< local: of the elements
  LaunchExpression value;               ///< i32 and i64: what is passed; local: how many elements
  SourcePosition at;
};

struct KernelLaunch {
  std::string kernel;
  SourcePosition at;
  std::vector<LaunchExpression> global;   ///< work-items, or work-groups (CUDA's grid): 1 to 3 sizes
  bool counts_groups = false;             ///< global does
  std::vector<LaunchExpression> local;    ///< work-items of a work-group, as many as global; empty: the runtime chooses
  std::vector<LaunchExpression> cluster;  ///< work-groups of a cluster, as many as global; empty: none
  LaunchExpression shared;                ///< bytes of local memory that no argument stands for; without steps: none
  std::vector<LaunchArgument> arguments;
};

struct LaunchBlock {
  std::vector<std::string> dims;  ///< the task's
  std::vector<ScratchBuffer> scratch;
  std::vector<KernelLaunch> kernels;  ///< in order of launch
};

/// Parses the block at the top of a candidate's source against the task's tensors and dimensions. Throws
/// LaunchError, also where every choice of dimensions would be wrong.
LaunchBlock parse_launch_block(std::string_view source, const Task& task);

struct ConcreteArgument {
  using Kind = LaunchArgument::Kind;
  Kind kind = Kind::buffer;
  std::size_t buffer = 0;   ///< buffer: the task's inputs, then its outputs, then scratch
  std::int64_t value = 0;   ///< i32 and i64
  std::uint64_t bytes = 0;  ///< local
};

/// One launch at concrete dimensions. Sizes beyond its rank are 1.
struct ConcreteLaunch {
  std::string kernel;
  SourcePosition at;
  int rank = 1;
  std::array<std::uint64_t, 3> global{1, 1, 1};
  std::array<std::uint64_t, 3> local{};    ///< 0, all of them: the runtime chooses
  std::array<std::uint64_t, 3> cluster{};  ///< 0, all of them: none
  std::uint64_t shared_bytes = 0;
  std::vector<ConcreteArgument> arguments;
};

struct ConcretePlan {
  std::vector<std::uint64_t> scratch_bytes;
  std::vector<std::size_t> zeroed;  ///< of those: what is zero when a call begins
  std::vector<ConcreteLaunch> launches;
};

/// The block at concrete dimensions; throws LaunchError that names the kernel, the expression's place and its
/// dimensions: division by zero, overflow of 64 bits, a size, a count or a launch's work-items below 1 or
/// above 2^40, an int(...) that does not fit, a global size that is no multiple of its local one, a grid's that
/// is none of its cluster's, a dimension without a value.
ConcretePlan evaluate(const LaunchBlock& block, const Dims& dims);

/// What a device allows of one launch; 0: unknown.
struct DeviceLimits {
  std::uint64_t work_group = 0;  ///< work-items of a work-group
  std::uint64_t local_bytes = 0;
  std::array<std::uint64_t, 3> work_items{};  ///< of a work-group, along each size
};

/// Throws LaunchError where a launch asks for more than the device has.
void require_within(const ConcretePlan& plan, const DeviceLimits& limits);

/// kernel.h for device code: the types, and what a function would get. There is none to declare.
std::string launch_header(const Task& task, const KernelTypes& types);

/// Names of the kernels, each once, in order of first launch.
std::vector<std::string> kernel_names(const LaunchBlock& block);

}  // namespace assay::spec

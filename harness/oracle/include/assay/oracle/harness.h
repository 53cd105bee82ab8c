// SPDX-License-Identifier: Apache-2.0
// All that a task's harness/oracle.cpp and harness/verify.cpp include of this project. They run in the judge, on float64 numbers; a
// candidate sees neither them nor the library that they become.
//
//   ASSAY_ORACLE(inputs, outputs) { ... }           oracle.cpp: what the outputs must be, in place of the model's body
//   ASSAY_VERIFY(inputs, outputs, residuals) { ... } verify.cpp: how far given outputs are from being right
//   ASSAY_ANOTHER(inputs, outputs) { ... }          verify.cpp: turns right outputs into other ones that are as right
//
// Tensors are found by their names in the model's signature and are row-major. Reals are float64, whatever type the kernel has;
// integers and booleans are int64. Every access by index is checked. Nothing else is shared with the judge: what crosses the border
// is RawCall, plain C.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What Eigen would end the judge with, or overlook in a release. It is to be included after this header.
#ifndef eigen_assert
#define eigen_assert(condition)                                     \
  do {                                                              \
    if (!(condition)) throw std::logic_error("Eigen: " #condition); \
  } while (false)
#endif

namespace assay::harness {

inline constexpr int kVersion = 1;

/// One tensor: `reals` or `integers` is null. `scales`: of an oracle's real output.
struct RawTensor {
  const char* name;
  double* reals;
  std::int64_t* integers;
  double* scales;
  const std::int64_t* extents;
  std::size_t rank, size;
};

struct RawCall {
  int version;
  const RawTensor *inputs, *outputs;
  std::size_t input_count, output_count;
  void* judge;
  void (*residual)(void* judge, const char* name, double value, double bound);
  void (*wrong)(void* judge, const char* what);   ///< the outputs cannot be right
  void (*failed)(void* judge, const char* what);  ///< the task's own code is at fault
};

/// Thrown where outputs cannot be right, whatever their residuals are.
class WrongOutput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A tensor to read.
class Tensor {
 public:
  explicit Tensor(const RawTensor& raw) : raw_(raw) {}

  std::string_view name() const { return raw_.name; }
  std::size_t rank() const { return raw_.rank; }
  std::size_t size() const { return raw_.size; }
  std::int64_t extent(std::size_t axis) const {
    if (axis >= raw_.rank) throw std::out_of_range(std::string(raw_.name) + " has no axis " + std::to_string(axis));
    return raw_.extents[axis];
  }

  /// All elements, row-major: Eigen::Map takes reals().data(). An error where the elements are of the other kind.
  std::span<const double> reals() const { return {kind(raw_.reals, "reals"), raw_.size}; }
  std::span<const std::int64_t> integers() const { return {kind(raw_.integers, "integers"), raw_.size}; }

  /// One element, by one index for each axis.
  template <class... Indices>
  double real(Indices... at) const {
    return kind(raw_.reals, "reals")[place({static_cast<std::int64_t>(at)...})];
  }
  template <class... Indices>
  std::int64_t integer(Indices... at) const {
    return kind(raw_.integers, "integers")[place({static_cast<std::int64_t>(at)...})];
  }
  /// The same of an output that is used as an index: WrongOutput where it is not within [0, bound).
  template <class... Indices>
  std::int64_t index(std::int64_t bound, Indices... at) const {
    const std::int64_t found = integer(at...);
    if (found < 0 || found >= bound)
      throw WrongOutput(described({static_cast<std::int64_t>(at)...}) + " is " + std::to_string(found) + ", must be 0 to " +
                        std::to_string(bound - 1));
    return found;
  }

 protected:
  std::size_t place(std::initializer_list<std::int64_t> at) const {
    std::size_t flat = 0, axis = 0;
    bool inside = at.size() == raw_.rank;
    for (const std::int64_t i : at) {
      inside = inside && i >= 0 && i < raw_.extents[axis];
      if (!inside) break;
      flat = flat * static_cast<std::size_t>(raw_.extents[axis++]) + static_cast<std::size_t>(i);
    }
    if (!inside) throw std::out_of_range(described(at) + " is outside of it");
    return flat;
  }
  template <class T>
  T* kind(T* elements, const char* wanted) const {
    if (elements == nullptr) throw std::logic_error(std::string(raw_.name) + " has no " + wanted);
    return elements;
  }

  RawTensor raw_;

 private:
  std::string described(std::initializer_list<std::int64_t> at) const {
    std::string text = raw_.name;
    text += '[';
    for (const std::int64_t i : at) text += (text.back() == '[' ? "" : ", ") + std::to_string(i);
    return text + "]";
  }
};

/// A tensor to write.
class Output : public Tensor {
 public:
  using Tensor::Tensor;
  std::span<double> reals() { return {kind(raw_.reals, "reals"), raw_.size}; }
  std::span<std::int64_t> integers() { return {kind(raw_.integers, "integers"), raw_.size}; }
  template <class... Indices>
  double& real(Indices... at) {
    return kind(raw_.reals, "reals")[place({static_cast<std::int64_t>(at)...})];
  }
  template <class... Indices>
  std::int64_t& integer(Indices... at) {
    return kind(raw_.integers, "integers")[place({static_cast<std::int64_t>(at)...})];
  }
  /// Of each real: what one unit of float32's rounding (2^-24) is relative to, in an honest kernel's error; 16 units are accepted.
  /// Where nothing is written: |y|, and how far rounding the inputs to float32 moves y.
  std::span<double> scales() { return {kind(raw_.scales, "scales: only an oracle's real outputs have some"), raw_.size}; }
};

template <class T>
class Tensors {
 public:
  Tensors(const RawTensor* raw, std::size_t count) : all_(raw, raw + count) {}
  T& operator[](std::string_view name) { return find(*this, name); }
  const T& operator[](std::string_view name) const { return find(*this, name); }

 private:
  template <class Self>
  static auto& find(Self& self, std::string_view name) {
    for (auto& tensor : self.all_)
      if (tensor.name() == name) return tensor;
    throw std::out_of_range("the signature has no tensor '" + std::string(name) + "' here");
  }
  std::vector<T> all_;
};

using Inputs = const Tensors<Tensor>;
using Outputs = Tensors<Output>;
using GivenOutputs = const Tensors<Tensor>;

class Residuals {
 public:
  explicit Residuals(const RawCall& call) : call_(call) {}
  /// `value` is not more than `bound` where the outputs are right; 0 or more.
  void add(const char* name, double value, double bound) { call_.residual(call_.judge, name, value, bound); }
  /// They are not, and `what` says why.
  [[noreturn]] void refuse(const std::string& what) { throw WrongOutput(what); }

 private:
  const RawCall& call_;
};

template <class Work>
void guarded(const RawCall* call, Work work) {
  try {
    if (call->version != kVersion) throw std::runtime_error("was built for another KernelAssay. do: build it again");
    work();
  } catch (const WrongOutput& error) {
    call->wrong(call->judge, error.what());
  } catch (const std::exception& error) {
    call->failed(call->judge, error.what());
  } catch (...) {
    call->failed(call->judge, "something that is no std::exception");
  }
}

}  // namespace assay::harness

#define ASSAY_HARNESS_ENTRY extern "C" __attribute__((visibility("default"))) void

#define ASSAY_ORACLE(inputs, outputs)                                                              \
  static void assay_oracle_body(assay::harness::Inputs& inputs, assay::harness::Outputs& outputs); \
  ASSAY_HARNESS_ENTRY assay_oracle(const assay::harness::RawCall* call) {                          \
    assay::harness::guarded(call, [&] {                                                            \
      assay::harness::Inputs given(call->inputs, call->input_count);                               \
      assay::harness::Outputs wanted(call->outputs, call->output_count);                           \
      assay_oracle_body(given, wanted);                                                            \
    });                                                                                            \
  }                                                                                                \
  static void assay_oracle_body([[maybe_unused]] assay::harness::Inputs& inputs, assay::harness::Outputs& outputs)

#define ASSAY_ANOTHER(inputs, outputs)                                                              \
  static void assay_another_body(assay::harness::Inputs& inputs, assay::harness::Outputs& outputs); \
  ASSAY_HARNESS_ENTRY assay_another(const assay::harness::RawCall* call) {                          \
    assay::harness::guarded(call, [&] {                                                             \
      assay::harness::Inputs given(call->inputs, call->input_count);                                \
      assay::harness::Outputs changed(call->outputs, call->output_count);                           \
      assay_another_body(given, changed);                                                           \
    });                                                                                             \
  }                                                                                                 \
  static void assay_another_body([[maybe_unused]] assay::harness::Inputs& inputs, assay::harness::Outputs& outputs)

#define ASSAY_VERIFY(inputs, outputs, residuals)                                                                        \
  static void assay_verify_body(assay::harness::Inputs& inputs, assay::harness::GivenOutputs& outputs,                  \
                                assay::harness::Residuals& residuals);                                                  \
  ASSAY_HARNESS_ENTRY assay_verify(const assay::harness::RawCall* call) {                                               \
    assay::harness::guarded(call, [&] {                                                                                 \
      assay::harness::Inputs given(call->inputs, call->input_count);                                                    \
      assay::harness::GivenOutputs got(call->outputs, call->output_count);                                              \
      assay::harness::Residuals found(*call);                                                                           \
      assay_verify_body(given, got, found);                                                                             \
    });                                                                                                                 \
  }                                                                                                                     \
  static void assay_verify_body([[maybe_unused]] assay::harness::Inputs& inputs, assay::harness::GivenOutputs& outputs, \
                                assay::harness::Residuals& residuals)

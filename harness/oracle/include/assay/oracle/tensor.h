// SPDX-License-Identifier: Apache-2.0
// Row-major dense tensors that own their elements or look at somebody else's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "assay/spec/tensor_type.h"

namespace assay::oracle {

// Definitions of operators call these what a task's file calls them.
using spec::element_count, spec::element_type_from_onnx, spec::info, spec::is_real, spec::size_of, spec::to_string;
using spec::ElementClass, spec::ElementType, spec::ElementTypeInfo, spec::Shape;

/// At least `bytes` of uninitialised memory, 64-byte aligned. Blocks that are given back are kept for the next request of
/// their size, as eager frameworks' allocators do: a baseline that faulted its pages in anew for each intermediate, or
/// zeroed them, would be a slow baseline.
void* take_block(std::size_t bytes);
void give_block(void* block, std::size_t bytes);
/// Blocks of at most `bytes` in all are kept from now on: fewer for a process that evaluates large models once, more for one that
/// draws and compares time and again.
void keep_blocks(std::size_t bytes);

/// For std::vector.
template <class T>
struct BlockAllocator {
  using value_type = T;
  BlockAllocator() = default;
  template <class U>
  BlockAllocator(const BlockAllocator<U>&) {}
  static constexpr std::size_t bytes_for(std::size_t count) { return (count * sizeof(T) + 63) / 64 * 64; }
  T* allocate(std::size_t count) { return static_cast<T*>(take_block(bytes_for(count))); }
  void deallocate(T* block, std::size_t count) { give_block(block, bytes_for(count)); }
  /// Bytes begin as they are: whoever makes a tensor of them writes them all, and to write them twice costs as much as to draw them.
  void construct(std::byte*) const {}
  bool operator==(const BlockAllocator&) const = default;
};
template <class T>
using Elements = std::vector<T, BlockAllocator<T>>;

template <class T>
std::shared_ptr<T[]> allocate_elements(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  const std::size_t bytes = (std::max<std::size_t>(count, 1) * sizeof(T) + 63) / 64 * 64;
  return std::shared_ptr<T[]>(static_cast<T*>(take_block(bytes)), [bytes](T* block) { give_block(block, bytes); });
}

template <class T>
class Tensor {
 public:
  Tensor() : Tensor(Shape{0}) {}
  explicit Tensor(Shape shape) : shape_(std::move(shape)) {
    size_ = static_cast<std::size_t>(element_count(shape_));
    owner_ = allocate_elements<T>(size_);
    data_ = owner_.get();
  }
  /// A view of `data`, which must outlive the tensor.
  Tensor(Shape shape, T* data) : shape_(std::move(shape)), data_(data) { size_ = static_cast<std::size_t>(element_count(shape_)); }

  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.size(); }
  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  /// The same elements under another shape of equal count.
  Tensor reshaped(Shape shape) const {
    Tensor other = *this;
    other.shape_ = std::move(shape);
    return other;
  }
  /// The elements from `first` on under a shape of their own: a view that shares their ownership.
  Tensor part(std::size_t first, Shape shape) const {
    Tensor other = *this;
    other.size_ = static_cast<std::size_t>(element_count(shape));
    other.shape_ = std::move(shape);
    other.data_ = data_ + first;
    return other;
  }

 private:
  Shape shape_;
  std::size_t size_ = 0;
  std::shared_ptr<T[]> owner_;
  T* data_ = nullptr;
};

using Integers = Tensor<std::int64_t>;  ///< every ONNX integer type; wrapped to its width after each node
using Booleans = Tensor<std::uint8_t>;  ///< 0 or 1

/// A tensor of the evaluation over scalar T: reals are T, whatever their ONNX type; integers and booleans are exact.
template <class T>
struct Value {
  ElementType type = ElementType::f32;
  std::variant<Tensor<T>, Integers, Booleans> elements;
  /// Over Bounded: how open each integer or boolean is, given the errors of its operands. 0: it is certain; 1: it
  /// may be off by one (a comparison of two numbers nearer than their errors, a quantised tie); 2: it may be
  /// anything (an index). Empty where all are 0.
  std::vector<std::uint8_t> open = {};

  const Shape& shape() const {
    return std::visit([](const auto& t) -> const Shape& { return t.shape(); }, elements);
  }
};

}  // namespace assay::oracle

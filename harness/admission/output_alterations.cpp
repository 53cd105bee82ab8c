// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "alterations.h"
#include "assay/oracle/storage.h"
#include "assay/spec/half.h"

namespace assay::admission {
namespace {

using cases::Bytes, cases::ExpectedTensor, cases::Precision, cases::precision_of, cases::PreparedCase, cases::RandomStream;

constexpr std::size_t kTile = 16;  // elements: a vector of AVX-512, the narrowest tile of a GPU

/// One output as equal-sized elements of raw bytes.
struct Elements {
  std::byte* data;
  std::size_t size, count;
  std::byte* at(std::size_t i) const { return data + i * size; }
  void clear(std::size_t i) const { std::memset(at(i), 0, size); }
  void copy(std::size_t to, const std::byte* from) const { std::memcpy(at(to), from, size); }
};

Elements elements_of(const ExpectedTensor& tensor, Bytes& bytes) {
  const std::size_t size = spec::size_of(tensor.type);
  return {bytes.data(), size, bytes.size() / size};
}

/// Every output altered in place by edit(elements, its right bytes, its description).
template <class Edit>
Alteration on_elements(std::string name, Edit edit) {
  return {std::move(name), [edit](const Subject& subject) -> std::optional<Outputs> {
            Outputs outputs = subject.right;
            for (std::size_t o = 0; o < outputs.size(); ++o) {
              const ExpectedTensor& tensor = subject.prepared.outputs[o];
              if (!outputs[o].empty()) edit(elements_of(tensor, outputs[o]), subject.right[o].data(), tensor, subject);
            }
            return outputs;
          }};
}

std::size_t row_length(const ExpectedTensor& tensor) {
  return tensor.shape.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, tensor.shape.back()));
}

void write_real(const Elements& elements, std::size_t i, double x, spec::ElementType type) {
  oracle::Tensor<double> one(spec::Shape{1});
  one[0] = x;
  oracle::store_value(oracle::Value<double>{type, one}, type, elements.at(i));
}

/// The element in the middle becomes `x`, where the output is real.
Alteration one_real(std::string name, double x) {
  return on_elements(std::move(name), [x](const Elements& out, const std::byte*, const ExpectedTensor& tensor, const Subject&) {
    if (spec::is_real(tensor.type)) write_real(out, out.count / 2, x, tensor.type);
  });
}

/// One finite element moves by four times what its bound allows.
void move_one(const Elements& out, const std::byte*, const ExpectedTensor& tensor, const Subject& subject) {
  const std::size_t first = RandomStream(subject.seed, {"one element off"}).below(out.count);
  for (std::size_t n = 0; n < out.count; ++n) {
    const std::size_t i = (first + n) % out.count;
    if (!spec::is_real(tensor.type)) {
      *out.at(i) ^= std::byte{1};
      return;
    }
    if (!std::isfinite(tensor.values[i]) || std::isinf(tensor.scales[i])) continue;
    const Precision precision = precision_of(tensor.type);
    const double allowed = tensor.max_bound * (precision.roundoff * tensor.scales[i] + precision.smallest_normal);
    const double distance = 4 * std::max(allowed + tensor.slack_at(i), spec::spacing(tensor.values[i], tensor.type));
    write_real(out, i, tensor.values[i] + std::copysign(distance, -tensor.values[i]), tensor.type);
    return;
  }
}

void transpose(const Elements& out, const std::byte* right, const ExpectedTensor& tensor, const Subject&) {
  if (tensor.shape.size() < 2) return;
  const std::size_t columns = row_length(tensor), rows = static_cast<std::size_t>(tensor.shape[tensor.shape.size() - 2]);
  for (std::size_t begin = 0; begin + rows * columns <= out.count; begin += std::max<std::size_t>(1, rows * columns))
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) out.copy(begin + j * rows + i, right + (begin + i * columns + j) * out.size);
}

void negate(const Elements& out, const std::byte*, const ExpectedTensor& tensor, const Subject&) {
  if (!spec::is_real(tensor.type)) return;
  const auto reals = std::get<oracle::Tensor<double>>(oracle::load_value<double>(tensor.type, tensor.shape, out.data).elements);
  for (std::size_t i = 0; i < out.count; ++i) write_real(out, i, -reals[i], tensor.type);
}

std::optional<Outputs> copy_input(const Subject& subject) {
  const Bytes& input = subject.prepared.inputs.front();
  const spec::TensorSpec& spec = subject.task.model.inputs.front();
  if (input.empty()) return {};
  Outputs outputs = subject.right;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (subject.prepared.outputs[o].type != spec.type) continue;
    for (std::size_t i = 0; i < outputs[o].size(); ++i) outputs[o][i] = input[i % input.size()];
  }
  return outputs;
}

Alteration keeping_numbers(Alteration alteration) {
  alteration.keeps_numbers = true;
  return alteration;
}

std::optional<Outputs> leave_stale(const Subject& subject) {
  if (subject.stale == nullptr) return {};
  return *subject.stale;
}

}  // namespace

std::vector<Alteration> output_alterations() {
  using Tensor = const ExpectedTensor&;
  using On = const Subject&;
  return {
      on_elements("all zero",
                  [](const Elements& out, const std::byte*, Tensor, On) {
                    for (std::size_t i = 0; i < out.count; ++i) out.clear(i);
                  }),
      on_elements("the first element everywhere",
                  [](const Elements& out, const std::byte* right, Tensor, On) {
                    for (std::size_t i = 0; i < out.count; ++i) out.copy(i, right);
                  }),
      {"the first input copied", copy_input},
      on_elements(kOffByBounds, move_one),
      on_elements("last element missing", [](const Elements& out, const std::byte*, Tensor, On) { out.clear(out.count - 1); }),
      on_elements("last tile missing",
                  [](const Elements& out, const std::byte*, Tensor, On) {
                    for (std::size_t i = out.count - std::min(out.count, kTile); i < out.count; ++i) out.clear(i);
                  }),
      on_elements("the rest beyond whole tiles of each row missing",
                  [](const Elements& out, const std::byte*, Tensor tensor, On) {
                    const std::size_t row = row_length(tensor);
                    for (std::size_t i = 0; i < out.count; ++i)
                      if (i % row >= row / kTile * kTile) out.clear(i);
                  }),
      on_elements("1 % of the elements missing",
                  [](const Elements& out, const std::byte*, Tensor, On subject) {
                    RandomStream random(subject.seed, {"missing"});
                    for (std::size_t n = 0; n < std::max<std::size_t>(1, out.count / 100); ++n) out.clear(random.below(out.count));
                  }),
      on_elements("shifted by one element",
                  [](const Elements& out, const std::byte* right, Tensor, On) {
                    for (std::size_t i = 1; i < out.count; ++i) out.copy(i, right + (i - 1) * out.size);
                  }),
      keeping_numbers(on_elements("last two axes transposed", transpose)),
      keeping_numbers(on_elements("first and last row swapped",
                                  [](const Elements& out, const std::byte* right, Tensor tensor, On) {
                                    const std::size_t row = row_length(tensor), last = out.count - row;
                                    for (std::size_t i = 0; i < row; ++i) {
                                      out.copy(i, right + (last + i) * out.size);
                                      out.copy(last + i, right + i * out.size);
                                    }
                                  })),
      keeping_numbers(on_elements("sign flipped", negate)),
      one_real("one NaN", std::numeric_limits<double>::quiet_NaN()),
      one_real("one infinity", std::numeric_limits<double>::infinity()),
      {"stale: right for the inputs of the call before", leave_stale},
  };
}

}  // namespace assay::admission

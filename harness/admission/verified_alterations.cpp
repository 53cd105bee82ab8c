// SPDX-License-Identifier: Apache-2.0
// What verify.cpp must refuse beside output_alterations.cpp, and be able to judge at all.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "alterations.h"
#include "assay/oracle/storage.h"

namespace assay::admission {
namespace {

using cases::Bytes, cases::ExpectedTensor;

/// One output as numbers that can be written back; reals or integers, as the tensor has them.
struct Numbers {
  oracle::Tensor<double> reals;
  oracle::Integers integers;
};

/// Every output altered in place by edit(numbers, its description): reals or integers, the others are empty.
template <class Edit>
Alteration on_numbers(std::string name, Edit edit) {
  return {std::move(name), [edit](const Subject& subject) -> std::optional<Outputs> {
            Outputs outputs = subject.right;
            for (std::size_t o = 0; o < outputs.size(); ++o) {
              const ExpectedTensor& tensor = subject.prepared.outputs[o];
              if (outputs[o].empty() || spec::info(tensor.type).element_class == spec::ElementClass::boolean) continue;
              Bytes copy = outputs[o];  // load_value() may give a view
              oracle::Value<double> value = oracle::load_value<double>(tensor.type, tensor.shape, copy.data());
              Numbers numbers{spec::is_real(tensor.type) ? std::get<oracle::Tensor<double>>(value.elements) : oracle::Tensor<double>(),
                              spec::is_real(tensor.type) ? oracle::Integers() : std::get<oracle::Integers>(value.elements)};
              edit(numbers, tensor);
              if (spec::is_real(tensor.type)) value.elements = numbers.reals;
              else value.elements = numbers.integers;
              oracle::store_value(value, tensor.type, outputs[o].data());
            }
            return outputs;
          }};
}

/// One number in the middle of all reals.
Alteration one_number(std::string name, double x) {
  return on_numbers(std::move(name), [x](Numbers& out, const ExpectedTensor&) {
    if (out.reals.size() > 0) out.reals[out.reals.size() / 2] = x;
  });
}

Alteration one_integer(std::string name, std::int64_t x) {
  return on_numbers(std::move(name), [x](Numbers& out, const ExpectedTensor&) {
    if (out.integers.size() > 0) out.integers[out.integers.size() / 2] = x;
  });
}

}  // namespace

std::vector<Alteration> verified_alterations() {
  std::vector<Alteration> all = {
      on_numbers("the largest element off by 1 %",
                 [](Numbers& out, const ExpectedTensor&) {
                   const auto largest = std::ranges::max_element(out.reals, {}, [](double x) { return std::abs(x); });
                   if (largest != out.reals.end()) *largest *= 1.01;
                 }),
      on_numbers("one row left out",
                 [](Numbers& out, const ExpectedTensor& tensor) {
                   const std::size_t row = tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
                   const auto clear = [row](auto& numbers) {
                     if (numbers.size() == 0) return;
                     const std::size_t first = numbers.size() / row / 2 * row;
                     std::fill_n(numbers.begin() + first, row, 0);
                   };
                   clear(out.reals);
                   clear(out.integers);
                 }),
      one_number("one huge number", 1e30),
      one_integer("one number below every index", std::numeric_limits<std::int32_t>::min()),
      one_integer("one number above every index", std::numeric_limits<std::int32_t>::max()),
  };
  return all;
}

}  // namespace assay::admission

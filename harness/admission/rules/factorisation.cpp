// SPDX-License-Identifier: Apache-2.0
// A factorisation has many right answers: columns of Q or of eigenvectors with either sign, factors that share a scale. Elements of
// one of them judge nobody. It is known by what factors are: outputs whose product is an input, or that make an input triangular or
// diagonal. Unit triangular factors (LU) and a Cholesky factor are the only ones of their kind.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/oracle/storage.h"
#include "rules.h"

namespace assay::admission {
namespace {

constexpr double kTolerance = 1e-3;
/// Multiplications of one product; a larger one is not looked at.
constexpr std::size_t kMostWork = 100'000'000;

/// Not Eigen's: the oracle is compiled for this machine, and the two would not agree on how matrices are aligned.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> elements;

  double& at(std::size_t i, std::size_t j) { return elements[i * columns + j]; }
  double at(std::size_t i, std::size_t j) const { return elements[i * columns + j]; }
  bool is_square() const { return rows == columns; }
};

Matrix blank(std::size_t rows, std::size_t columns) { return {rows, columns, std::vector<double>(rows * columns)}; }

/// A tensor's first matrix, or a vector as a column; no elements where it is neither or not finite.
Matrix matrix_of(spec::ElementType type, const spec::Shape& shape, const cases::Bytes& bytes) {
  if (spec::info(type).element_class != spec::ElementClass::real || shape.empty() || bytes.empty()) return {};
  const oracle::Value<double> value = oracle::load_value<double>(type, shape, bytes.data());
  const auto& reals = std::get<oracle::Tensor<double>>(value.elements);
  const std::int64_t columns = shape.size() < 2 ? 1 : shape.back(), rows = shape.size() < 2 ? shape[0] : shape[shape.size() - 2];
  Matrix matrix = blank(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  std::copy_n(reals.begin(), matrix.elements.size(), matrix.elements.begin());
  return std::ranges::all_of(matrix.elements, [](double x) { return std::isfinite(x); }) ? matrix : Matrix{};
}

Matrix transposed(const Matrix& a) {
  Matrix turned = blank(a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) turned.at(j, i) = a.at(i, j);
  return turned;
}

/// No elements where the shapes do not fit or it is too much work.
Matrix product(const Matrix& a, const Matrix& b) {
  if (a.columns != b.rows || a.rows * a.columns * b.columns > kMostWork) return {};
  Matrix c = blank(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

/// Column j times scales[j].
Matrix scaled(Matrix a, const std::vector<double>& scales) {
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) a.at(i, j) *= scales[j];
  return a;
}

double norm(const Matrix& a) {
  double squares = 0;
  for (const double x : a.elements) squares += x * x;
  return std::sqrt(squares);
}

bool is_near(const Matrix& a, const Matrix& b) {
  if (a.rows != b.rows || a.columns != b.columns) return false;
  Matrix difference = a;
  for (std::size_t i = 0; i < a.elements.size(); ++i) difference.elements[i] -= b.elements[i];
  return norm(b) > 0 && norm(difference) <= kTolerance * norm(b);
}

bool is_identity(const Matrix& a) {
  Matrix one = blank(a.rows, a.columns);
  for (std::size_t i = 0; i < std::min(a.rows, a.columns); ++i) one.at(i, i) = 1;
  return is_near(a, one);
}

bool is_upper(const Matrix& a) {
  Matrix lower = blank(a.rows, a.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < std::min(i, a.columns); ++j) lower.at(i, j) = a.at(i, j);
  return norm(lower) <= kTolerance * norm(a);
}

bool is_unit_triangular(const Matrix& a) {
  for (std::size_t i = 0; i < std::min(a.rows, a.columns); ++i)
    if (std::abs(a.at(i, i) - 1) > kTolerance) return false;
  return a.is_square() && (is_upper(a) || is_upper(transposed(a)));
}

bool is_product(const Matrix& p, const Matrix& q, const Matrix& input) {
  if (is_unit_triangular(p) || is_unit_triangular(q)) return false;
  for (const Matrix& left : {p, transposed(p)})
    for (const Matrix& right : {q, transposed(q)})
      if (left.columns > 1 && is_near(product(left, right), input)) return true;
  return false;
}

/// U diag(s) V of three outputs.
bool is_product(const Matrix& u, const Matrix& s, const Matrix& v, const Matrix& input) {
  if (s.columns != 1 || s.rows < 2 || u.columns != s.rows) return false;
  const Matrix left = scaled(u, s.elements);
  return is_near(product(left, v), input) || is_near(product(left, transposed(v)), input);
}

/// Columns of length 1 that the input only stretches.
bool are_eigenvectors(const Matrix& v, const Matrix& input) {
  if (!input.is_square() || v.rows != input.rows || is_identity(v)) return false;
  const Matrix image = product(input, v);
  if (image.elements.empty()) return false;
  std::vector<double> lengths(v.columns), values(v.columns);
  for (std::size_t i = 0; i < v.rows; ++i)
    for (std::size_t j = 0; j < v.columns; ++j) lengths[j] += v.at(i, j) * v.at(i, j), values[j] += v.at(i, j) * image.at(i, j);
  return std::ranges::all_of(lengths, [](double x) { return std::abs(x - 1) <= kTolerance; }) && is_near(scaled(v, values), image);
}

/// The Q or the R of a QR factorisation.
bool is_orthogonal_factor(const Matrix& out, const Matrix& input) {
  if (out.columns < 2 || out.rows < 2) return false;
  for (const Matrix& q : {out, transposed(out)})
    if (q.rows == input.rows && !is_identity(q) && is_identity(product(transposed(q), q)) && is_upper(product(transposed(q), input)))
      return true;
  return out.columns == input.columns && is_upper(out) && !is_near(out, input) &&
         is_near(product(transposed(out), out), product(transposed(input), input));
}

bool is_factorisation(const std::vector<Matrix>& outputs, const Matrix& input) {
  for (const Matrix& p : outputs) {
    if (p.elements.empty()) continue;
    if (is_orthogonal_factor(p, input) || are_eigenvectors(p, input)) return true;
    for (const Matrix& q : outputs) {
      if (q.elements.empty() || &p == &q) continue;
      if (is_product(p, q, input)) return true;
      for (const Matrix& s : outputs)
        if (&s != &p && &s != &q && is_product(p, s, q, input)) return true;
    }
  }
  return false;
}

}  // namespace

void factors_are_unique(const Evidence& evidence, std::vector<Finding>& found) {
  if (evidence.task.harness.verify) return;  // others pass, too
  const auto& specs = evidence.task.model.inputs;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::size_t tried = 0, factored = 0;
    for (const DrawnCase& drawn : evidence.cases) {
      const cases::PreparedCase& prepared = drawn.prepared;
      const Matrix input = matrix_of(specs[i].type, spec::concrete_shapes(specs, prepared.dims)[i], prepared.inputs[i]);
      if (input.rows < 2 || input.columns < 2) continue;
      std::vector<Matrix> outputs;
      for (std::size_t o = 0; o < prepared.outputs.size(); ++o)
        outputs.push_back(matrix_of(prepared.outputs[o].type, prepared.outputs[o].shape, drawn.right[o]));
      ++tried;
      factored += is_factorisation(outputs, input) ? 1 : 0;
    }
    if (factored < 2 || 2 * factored < tried) continue;
    found.push_back({fmt::format("factorisation of input '{}'", specs[i].name),
                     fmt::format("the outputs are factors of it in {} of {} cases, and others (of another sign or scale) are as right. "
                                 "do: give what is unique: singular values, a determinant, a solution, or the product of the factors",
                                 factored, tried),
                     Finding::Excuse::none});
  }
}

}  // namespace assay::admission

// SPDX-License-Identifier: Apache-2.0
// Matrices in the last two axes: orthogonal, symmetric, positive definite, invertible, triangular. Where singular values matter, they are
// known, because such matrices are made of rotations: random butterfly matrices (T. Trogdon, "On spectral and numerical properties of
// random butterfly matrices", 2019) take n^2 log n operations, where a QR factorisation takes n^3, and timed calls draw their own.
#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Jacobi>
#include <cmath>

#include "assay/spec/draw.h"
#include "assay/spec/float8.h"

namespace assay::spec {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Rotation {
  Eigen::Index p, q;
  Eigen::JacobiRotation<double> by;
};

/// Neighbours, then neighbours' neighbours, and so on, twice: then each row has met all others, whatever n is.
std::vector<Rotation> draw_rotations(Eigen::Index n, RandomSource& random) {
  std::vector<Rotation> rotations;
  for (int round = 0; round < 2; ++round)
    for (Eigen::Index stride = 1; stride < n; stride *= 2)
      for (Eigen::Index p = 0; p + stride < n; ++p) {
        if ((p & stride) != 0) continue;
        double x = 0, y = 0, length = 0;  // a point of the disc, so that no library computes a sine
        do {
          x = 2 * random.uniform() - 1;
          y = 2 * random.uniform() - 1;
          length = std::sqrt(x * x + y * y);
        } while (length > 1 || length < 0.01);
        rotations.push_back({p, p + stride, {x / length, y / length}});
      }
  return rotations;
}

void rotate_rows(Matrix& matrix, const std::vector<Rotation>& rotations) {
  for (const Rotation& rotation : rotations) matrix.applyOnTheLeft(rotation.p, rotation.q, rotation.by);
}

Matrix orthogonal(Eigen::Index n, RandomSource& random) {
  Matrix matrix = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) matrix(i, i) = random.below(2) == 0 ? 1 : -1;
  rotate_rows(matrix, draw_rotations(n, random));
  return matrix;
}

Matrix draw_orthogonal(const DrawnInput& input, RandomSource& random) { return orthogonal(input.columns(), random); }

/// [0 Q; Q' 0], and 1 in the corner where n is odd: its inverse is itself, and its leading minors of up to n / 2 rows are 0.
Matrix without_pivots(Eigen::Index n, RandomSource& random) {
  Matrix matrix = Matrix::Zero(n, n);
  matrix(n - 1, n - 1) = static_cast<double>(n % 2);
  const Eigen::Index half = n / 2;
  matrix.block(0, half, half, half) = orthogonal(half, random).cwiseMax(-1).cwiseMin(1);
  matrix.block(half, 0, half, half) = matrix.block(0, half, half, half).transpose();
  return matrix;
}

Matrix draw_symmetric(const DrawnInput& input, RandomSource& random) {
  const Eigen::Index n = input.columns();
  if (input.flag("zero_pivots")) return without_pivots(n, random);
  Matrix matrix(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i; j < n; ++j) matrix(i, j) = matrix(j, i) = 2 * random.uniform() - 1;
  return matrix;
}

/// From 1 to the condition number, both of them where there are two, and in between as the squares of uniform numbers.
Matrix draw_spectrum(const DrawnInput& input, RandomSource& random) {
  const Eigen::Index n = input.columns();
  const double condition = input.number("condition", 100);
  Matrix matrix = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double u = i == 0 ? 0 : i == 1 ? 1 : random.uniform();
    matrix(i, i) = input.number("scale", 1) * (1 + (condition - 1) * u * u) / condition;
  }
  return matrix;
}

Matrix draw_positive_definite(const DrawnInput& input, RandomSource& random) {
  Matrix matrix = draw_spectrum(input, random);
  const auto rotations = draw_rotations(input.columns(), random);
  rotate_rows(matrix, rotations);
  matrix.transposeInPlace();
  rotate_rows(matrix, rotations);
  matrix.triangularView<Eigen::StrictlyUpper>() = matrix.transpose();  // symmetric to the last bit
  return matrix;
}

Matrix draw_invertible(const DrawnInput& input, RandomSource& random) {
  Matrix matrix = draw_spectrum(input, random);
  rotate_rows(matrix, draw_rotations(input.columns(), random));
  matrix.transposeInPlace();
  rotate_rows(matrix, draw_rotations(input.columns(), random));
  return matrix;
}

/// Off the diagonal the numbers are so small that the condition number stays below ten, whatever n is.
Matrix draw_triangular(const DrawnInput& input, RandomSource& random) {
  const Eigen::Index n = input.columns();
  const double root = std::sqrt(static_cast<double>(n));
  Matrix matrix = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) matrix(i, j) = (random.uniform() - 0.5) / root;
    matrix(i, i) = (1 + random.uniform()) * (random.below(2) == 0 ? 1 : -1);
  }
  if (input.flag("upper")) matrix.transposeInPlace();
  return matrix;
}

template <Matrix (*draw)(const DrawnInput&, RandomSource&)>
std::vector<double> draw_each(const DrawnInput& input, RandomSource& random) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(element_count(input.shape)));
  while (std::ssize(values) < element_count(input.shape)) {
    const Matrix matrix = draw(input, random);
    values.insert(values.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return values;
}

std::string square_obstacle(const DrawnInput& input) {
  const std::size_t rank = input.shape.size();
  if (rank < 2 || input.shape[rank - 2] != input.shape[rank - 1]) return "must be square in its last two axes";
  return "";
}

/// A matrix that is rounded to its type moves its smallest singular value by up to n u times its largest.
std::string spectrum_obstacle(const DrawnInput& input) {
  if (std::string square = square_obstacle(input); !square.empty()) return square;
  const double condition = input.number("condition", 100), scale = input.number("scale", 1);
  const double digits = input.spec.type == ElementType::f64   ? 52
                        : input.spec.type == ElementType::f32 ? 23
                        : input.spec.type == ElementType::f16 ? 10
                        : is_float8(input.spec.type)          ? 2
                                                              : 7;
  const double largest = std::exp2(digits - 1) / std::sqrt(static_cast<double>(input.columns()));
  if (!(condition >= 1 && condition <= std::max(1.0, largest)))
    return fmt::format("condition must be 1 to {:.0f} for {} of {} columns, got {}", largest, info(input.spec.type).onnx_name,
                       input.columns(), condition);
  if (!(scale > 0 && std::isfinite(scale))) return fmt::format("scale must be positive, got {}", scale);
  return "";
}

std::string condition_text(const InputInit& init) {
  const auto found = init.numbers.find("condition");
  return fmt::format("a condition number of {} at most", found == init.numbers.end() ? 100 : found->second);
}

std::string matrices(const TensorSpec& spec) { return spec.shape.size() > 2 ? "its matrices (the last two axes) are" : "is"; }

using Kind = DrawParameter::Kind;
const std::vector<ElementClass> kReals = {ElementClass::real};
const std::vector<DrawParameter> kSpectrum = {{"condition", Kind::number}, {"scale", Kind::number}};

const bool kOrthogonal = define_draw(
    {.name = "orthogonal",
     .types = kReals,
     .parameters = {},
     .promise = [](const TensorSpec& spec, const InputInit&) { return fmt::format("{} orthogonal, but for rounding.", matrices(spec)); },
     .obstacle = square_obstacle,
     .draw = draw_each<draw_orthogonal>});
const bool kSymmetric = define_draw(
    {.name = "symmetric",
     .types = kReals,
     .parameters = {{"zero_pivots", Kind::flag}},
     .promise = [](const TensorSpec& spec, const InputInit&) { return fmt::format("{} symmetric: all are -1 to 1.", matrices(spec)); },
     .obstacle = square_obstacle,
     .draw = draw_each<draw_symmetric>});
const bool kPositiveDefinite =
    define_draw({.name = "positive_definite",
                 .types = kReals,
                 .parameters = kSpectrum,
                 .promise =
                     [](const TensorSpec& spec, const InputInit& init) {
                       return fmt::format("{} symmetric and positive definite, with {}.", matrices(spec), condition_text(init));
                     },
                 .obstacle = spectrum_obstacle,
                 .draw = draw_each<draw_positive_definite>});
const bool kInvertible = define_draw(
    {.name = "invertible",
     .types = kReals,
     .parameters = kSpectrum,
     .promise = [](const TensorSpec& spec,
                   const InputInit& init) { return fmt::format("{} invertible, with {}.", matrices(spec), condition_text(init)); },
     .obstacle = spectrum_obstacle,
     .draw = draw_each<draw_invertible>});
const bool kTriangular =
    define_draw({.name = "triangular",
                 .types = kReals,
                 .parameters = {{"upper", Kind::flag}},
                 .promise =
                     [](const TensorSpec& spec, const InputInit& init) {
                       const auto upper = init.numbers.find("upper");
                       const bool is_upper = upper != init.numbers.end() && upper->second != 0;
                       return fmt::format("{} {} triangular: all {} the diagonal is 0; on it all are 1 to 2 in magnitude.", matrices(spec),
                                          is_upper ? "upper" : "lower", is_upper ? "below" : "above");
                     },
                 .obstacle = square_obstacle,
                 .draw = draw_each<draw_triangular>});

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// Every draw keeps its promise, for many seeds and shapes; and a draw that broke it would be found out.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "assay/cases/expected.h"
#include "assay/oracle/storage.h"
#include "assay/spec/draw.h"

namespace assay::cases {
namespace {

using Dims = std::map<std::string, std::int64_t>;
using spec::ElementType, spec::Task, spec::TensorSpec;

struct Drawn {
  spec::Shape shape;
  std::vector<double> values;
  std::int64_t columns() const { return shape.back(); }
  std::size_t rows() const { return values.size() / static_cast<std::size_t>(columns()); }
  std::span<const double> row(std::size_t r) const {
    return std::span(values).subspan(r * static_cast<std::size_t>(columns()), static_cast<std::size_t>(columns()));
  }
};
using Inputs = std::map<std::string, Drawn>;

struct Property {
  std::string name;
  std::vector<TensorSpec> inputs;
  std::map<std::string, spec::InputInit> inits;
  std::vector<Dims> shapes;
  std::function<bool(const Drawn& x, const Inputs& all, const Dims& dims)> holds;  ///< of the input x
  std::function<void(Drawn& x)> mutate;                                            ///< breaks what `holds` asks for
};

void PrintTo(const Property& property, std::ostream* out) { *out << property.name; }

Task task_of(const Property& property) {
  Task task;
  task.model.inputs = property.inputs;
  task.inputs = property.inits;
  return task;
}

Inputs draw_all(const Property& property, const Dims& dims, std::uint64_t seed) {
  const Task task = task_of(property);
  const auto shapes = spec::concrete_shapes(task.model.inputs, dims);
  const auto bytes = draw_inputs(task, {}, dims, seed, "drawn");
  Inputs all;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Drawn& drawn = all[task.model.inputs[i].name];
    drawn.shape = shapes[i];
    std::visit([&](const auto& tensor) { drawn.values.assign(tensor.begin(), tensor.end()); },
               oracle::load_value<double>(task.model.inputs[i].type, shapes[i], bytes[i].data()).elements);
  }
  return all;
}

TensorSpec tensor(const std::string& name, ElementType type, const std::vector<std::string>& dims) {
  TensorSpec spec{name, type, {}};
  for (const std::string& dim : dims) spec.shape.push_back({dim, -1});
  return spec;
}

bool all_within(std::span<const double> values, double low, double high) {
  return std::ranges::all_of(values, [=](double v) { return v >= low && v <= high && v == std::floor(v); });
}

bool all_differ(std::span<const double> values) { return std::set<double>(values.begin(), values.end()).size() == values.size(); }

bool each_row(const Drawn& x, const std::function<bool(std::span<const double>)>& holds) {
  for (std::size_t r = 0; r < x.rows(); ++r)
    if (!holds(x.row(r))) return false;
  return true;
}

std::vector<double> without(std::span<const double> values, double sentinel) {
  std::vector<double> kept(values.begin(), values.end());
  std::erase(kept, sentinel);
  return kept;
}

Eigen::MatrixXd matrix(const Drawn& x, std::size_t number) {
  const auto n = x.shape.back();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(x.values.data() + static_cast<std::int64_t>(number) * n * n, n, n);
}

bool each_matrix(const Drawn& x, const std::function<bool(const Eigen::MatrixXd&)>& holds) {
  const auto size = static_cast<std::size_t>(x.shape.back() * x.shape.back());
  for (std::size_t i = 0; i < x.values.size() / size; ++i)
    if (!holds(matrix(x, i))) return false;
  return true;
}

double condition(const Eigen::MatrixXd& m) {
  const Eigen::VectorXd squares = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m.transpose() * m).eigenvalues();
  return std::sqrt(squares(squares.size() - 1) / squares(0));
}

const std::vector<Dims> kMatrices = {
    {{"B", 1}, {"N", 1}}, {{"B", 3}, {"N", 2}}, {{"B", 2}, {"N", 3}}, {{"B", 2}, {"N", 16}}, {{"B", 1}, {"N", 33}}};
const std::vector<Dims> kTables = {
    {{"R", 1}, {"K", 1}, {"V", 1}}, {{"R", 3}, {"K", 4}, {"V", 12}}, {{"R", 7}, {"K", 5}, {"V", 1000}}, {{"R", 2}, {"K", 50}, {"V", 101}}};

std::vector<Property> index_properties() {
  const TensorSpec table = tensor("x", ElementType::i64, {"R", "K"});
  return {{"index",
           {table},
           {{"x", {"index", {}, {{"of", "V"}}}}},
           kTables,
           [](const Drawn& x, const Inputs&, const Dims& dims) { return all_within(x.values, 0, static_cast<double>(dims.at("V") - 1)); },
           [](Drawn& x) { x.values.back() = 1e6; }},
          {"index",
           {table},
           {{"x", {"index", {}, {{"of", "V"}, {"distinct", "true"}}}}},
           kTables,
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             return all_differ(x.values) && all_within(x.values, 0, static_cast<double>(dims.at("V") - 1));
           },
           [](Drawn& x) { x.values.front() = x.values.size() > 1 ? x.values.back() : -1; }},
          {"index",
           {tensor("x", ElementType::i32, {"R", "K"})},
           {{"x", {"index", {{"sentinel", -100}, {"share", 0.3}}, {{"of", "V"}, {"distinct", "rows"}}}}},
           {{{"R", 40}, {"K", 4}, {"V", 4}}, {{"R", 9}, {"K", 5}, {"V", 6}}, {{"R", 300}, {"K", 2}, {"V", 100}}},
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             return each_row(x, [&](auto row) {
               const auto indices = without(row, -100);
               return all_differ(indices) && all_within(indices, 0, static_cast<double>(dims.at("V") - 1));
             });
           },
           [](Drawn& x) { x.values[0] = x.values[1] = 0; }},
          {"index",
           {table},
           {{"x", {"index", {{"sorted", 1}}, {{"of", "V"}}}}},
           kTables,
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             return each_row(x, [](auto row) { return std::ranges::is_sorted(row); }) &&
                    all_within(x.values, 0, static_cast<double>(dims.at("V") - 1));
           },
           [](Drawn& x) { x.values.back() = -1; }},
          {"permutation",
           {table},
           {{"x", {"permutation"}}},
           kTables,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_row(x, [&](auto row) { return all_differ(row) && all_within(row, 0, static_cast<double>(row.size() - 1)); });
           },
           [](Drawn& x) { x.values[0] += 1; }}};
}

bool are_offsets(const Drawn& x, double end, double most) {
  if (x.values.front() != 0 || x.values.back() != end || !std::ranges::is_sorted(x.values)) return false;
  return std::ranges::adjacent_find(x.values, [=](double a, double b) { return b - a > most; }) == x.values.end();
}

std::vector<Property> ragged_properties() {
  const TensorSpec lengths = tensor("x", ElementType::i64, {"B"}), offsets = tensor("x", ElementType::i32, {"P"});
  const std::vector<Dims> packed = {{{"B", 1}, {"S", 7}, {"T", 6}},
                                    {{"B", 5}, {"S", 9}, {"T", 45}},
                                    {{"B", 8}, {"S", 3}, {"T", 16}},
                                    {{"B", 100}, {"S", 50}, {"T", 999}}};
  const std::vector<Dims> cut = {
      {{"P", 2}, {"T", 1}, {"M", 9}}, {{"P", 3}, {"T", 8}, {"M", 4}}, {{"P", 100}, {"T", 7}, {"M", 2}}, {{"P", 20}, {"T", 500}, {"M", 30}}};
  return {{"lengths",
           {lengths},
           {{"x", {"lengths", {{"low", 2}}, {{"of", "S"}}}}},
           packed,
           [](const Drawn& x, const Inputs&, const Dims& dims) { return all_within(x.values, 2, static_cast<double>(dims.at("S"))); },
           [](Drawn& x) { x.values.back() = 1; }},
          {"lengths",
           {lengths},
           {{"x", {"lengths", {{"low", 1}}, {{"of", "S"}, {"total", "T"}}}}},
           packed,
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             double sum = 0;
             for (const double length : x.values) sum += length;
             return sum == static_cast<double>(dims.at("T")) && all_within(x.values, 1, static_cast<double>(dims.at("S")));
           },
           [](Drawn& x) { x.values.front() += 1; }},
          {"offsets",
           {offsets},
           {{"x", {"offsets", {}, {{"of", "T"}, {"most", "M"}}}}},
           cut,
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             return are_offsets(x, static_cast<double>(dims.at("T")), static_cast<double>(dims.at("M")));
           },
           [](Drawn& x) { x.values.back() -= 1; }},
          {"offsets",
           {offsets},
           {{"x", {"offsets", {{"end", 0}, {"low", 0}}, {{"of", "T"}}}}},
           cut,
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             return are_offsets(x, x.values.back(), 1e9) && x.values.back() <= static_cast<double>(dims.at("T"));
           },
           [](Drawn& x) { x.values.front() = 1; }},
          {"offsets",
           {offsets, tensor("lengths", ElementType::i64, {"B"})},
           {{"x", {"offsets", {}, {{"lengths", "lengths"}}}}, {"lengths", {"lengths", {}, {{"of", "S"}}}}},
           {{{"P", 2}, {"B", 1}, {"S", 5}}, {{"P", 31}, {"B", 30}, {"S", 5}}},
           [](const Drawn& x, const Inputs& all, const Dims&) {
             for (std::size_t i = 0; i + 1 < x.values.size(); ++i)
               if (x.values[i + 1] - x.values[i] != all.at("lengths").values[i]) return false;
             return x.values.front() == 0;
           },
           [](Drawn& x) { x.values.back() += 1; }}};
}

std::vector<Property> table_properties() {
  return {
      {"csr_columns",
       {tensor("x", ElementType::i64, {"E"}), tensor("rows", ElementType::i64, {"P"})},
       {{"x", {"csr_columns", {}, {{"rows", "rows"}, {"of", "C"}}}}, {"rows", {"offsets", {}, {{"of", "E"}, {"most", "C"}}}}},
       {{{"E", 1}, {"P", 2}, {"C", 1}}, {{"E", 12}, {"P", 4}, {"C", 4}}, {{"E", 90}, {"P", 30}, {"C", 11}}},
       [](const Drawn& x, const Inputs& all, const Dims& dims) {
         const auto& rows = all.at("rows").values;
         for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
           const auto row = std::span(x.values).subspan(static_cast<std::size_t>(rows[r]), static_cast<std::size_t>(rows[r + 1] - rows[r]));
           if (std::ranges::adjacent_find(row, std::greater_equal<>()) != row.end()) return false;
         }
         return all_within(x.values, 0, static_cast<double>(dims.at("C") - 1));
       },
       [](Drawn& x) { x.values.back() = -1; }},
      {"page_table",
       {tensor("x", ElementType::i32, {"B", "M"}), tensor("lengths", ElementType::i64, {"B"})},
       {{"x", {"page_table", {}, {{"of", "P"}, {"lengths", "lengths"}, {"page", "4"}}}}, {"lengths", {"lengths", {}, {{"of", "M * 4"}}}}},
       {{{"B", 1}, {"M", 1}, {"P", 1}}, {{"B", 4}, {"M", 3}, {"P", 12}}, {{"B", 9}, {"M", 7}, {"P", 100}}},
       [](const Drawn& x, const Inputs& all, const Dims& dims) {
         std::vector<double> taken;
         for (std::size_t b = 0; b < x.rows(); ++b) {
           const auto pages = static_cast<std::size_t>(std::ceil(all.at("lengths").values[b] / 4));
           for (std::size_t m = 0; m < x.row(b).size(); ++m)
             if (m < pages) taken.push_back(x.row(b)[m]);
             else if (x.row(b)[m] != -1) return false;
         }
         return all_differ(taken) && all_within(taken, 0, static_cast<double>(dims.at("P") - 1));
       },
       [](Drawn& x) { x.values.front() = 1000; }}};
}

std::vector<Property> mask_properties() {
  const std::vector<Dims> shapes = {{{"B", 2}, {"S", 1}, {"K", 1}}, {{"B", 3}, {"S", 7}, {"K", 7}}, {{"B", 1}, {"S", 5}, {"K", 30}}};
  return {{"mask",
           {tensor("x", ElementType::boolean, {"B", "S", "K"})},
           {{"x", {"mask", {{"share", 0.1}, {"at_least", 1}}}}},
           shapes,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_row(x, [](auto row) { return all_within(row, 0, 1) && std::ranges::count(row, 1.0) >= 1; });
           },
           [](Drawn& x) { std::fill_n(x.values.begin(), x.columns(), 0.0); }},
          {"mask",
           {tensor("x", ElementType::f32, {"B", "S", "K"})},
           {{"x", {"mask", {{"share", 0.9}, {"causal", 1}, {"at_least", 1}}}}},
           shapes,
           [](const Drawn& x, const Inputs&, const Dims& dims) {
             for (std::size_t r = 0; r < x.rows(); ++r) {
               const auto row = x.row(r), open = row.first(std::min(row.size(), r % static_cast<std::size_t>(dims.at("S")) + 1));
               if (!all_within(row, 0, 1) || std::ranges::count(row, 1.0) < 1) return false;
               if (std::ranges::count(row, 1.0) != std::ranges::count(open, 1.0)) return false;
             }
             return true;
           },
           [](Drawn& x) { x.values.front() = 0; }}};
}

std::vector<Property> matrix_properties() {
  const auto in = [](ElementType type) { return std::vector<TensorSpec>{tensor("x", type, {"B", "N", "N"})}; };
  return {{"orthogonal",
           in(ElementType::f32),
           {{"x", {"orthogonal"}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(x, [](const auto& m) { return (m * m.transpose()).isIdentity(1e-5); });
           },
           [](Drawn& x) { x.values.back() += 0.01; }},
          {"symmetric",
           in(ElementType::f16),
           {{"x", {"symmetric"}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(x, [](const Eigen::MatrixXd& m) { return m == m.transpose() && m.cwiseAbs().maxCoeff() <= 1; });
           },
           [](Drawn& x) { x.columns() == 1 ? void(x.values[0] = 2) : void(x.values[1] *= -1); }},
          {"symmetric",
           in(ElementType::f32),
           {{"x", {"symmetric", {{"zero_pivots", 1}}}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(x, [](const Eigen::MatrixXd& m) {
               const Eigen::Index half = m.rows() / 2;
               return m == m.transpose() && m.cwiseAbs().maxCoeff() <= 1 && (m * m).isIdentity(1e-5) &&
                      (m.topLeftCorner(half, half).array() == 0).all();
             });
           },
           [](Drawn& x) { x.values[0] += x.columns() == 1 ? 1 : 0.1; }},
          {"positive_definite",
           in(ElementType::f32),
           {{"x", {"positive_definite", {{"condition", 1000}, {"scale", 8}}}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(x, [](const Eigen::MatrixXd& m) {
               const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues();
               return m == m.transpose() && values.minCoeff() > 0 && values.maxCoeff() < 8.01 && condition(m) < 1010;
             });
           },
           [](Drawn& x) { x.values.front() = -x.values.front(); }},
          {"positive_definite",
           in(ElementType::f16),
           {{"x", {"positive_definite", {{"condition", 20}}}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(
                 x, [](const Eigen::MatrixXd& m) { return m == m.transpose() && Eigen::LLT<Eigen::MatrixXd>(m).info() == Eigen::Success; });
           },
           [](Drawn& x) { x.values.front() = -x.values.front(); }},
          {"invertible",
           in(ElementType::f64),
           {{"x", {"invertible", {{"condition", 50}}}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(x, [](const Eigen::MatrixXd& m) { return condition(m) < 50.01 && m.norm() > 0.01; });
           },
           [](Drawn& x) { std::fill_n(x.values.begin(), x.columns(), 0.0); }},
          {"triangular",
           in(ElementType::f32),
           {{"x", {"triangular", {{"upper", 1}}}}},
           kMatrices,
           [](const Drawn& x, const Inputs&, const Dims&) {
             return each_matrix(x, [](const Eigen::MatrixXd& m) {
               return m.isUpperTriangular(0) && m.diagonal().cwiseAbs().minCoeff() >= 1 && condition(m) < 10;
             });
           },
           [](Drawn& x) { x.values.back() = 0.5; }}};
}

std::vector<Property> number_properties() {
  const std::vector<Dims> shapes = {{{"N", 1}, {"C", 1}}, {{"N", 3}, {"C", 2}}, {{"N", 5}, {"C", 300}}};
  const auto sums_to_one = [](std::span<const double> row) {
    double sum = 0;
    for (const double p : row) sum += p;
    return std::abs(sum - 1) < 1e-4 && std::ranges::min(row) >= 0;
  };
  return {{"probability",
           {tensor("x", ElementType::f32, {"N", "C"})},
           {{"x", {"probability", {{"zeros", 0.5}}}}},
           shapes,
           [=](const Drawn& x, const Inputs&, const Dims&) { return each_row(x, sums_to_one); },
           [](Drawn& x) { x.values.back() += 0.01; }},
          {"scales",
           {tensor("x", ElementType::f32, {"N", "C"})},
           {{"x", {"scales", {{"low", -12}, {"high", 3}, {"power_of_two", 1}}}}},
           shapes,
           [](const Drawn& x, const Inputs&, const Dims&) {
             int exponent = 0;
             return std::ranges::all_of(x.values, [&](double s) { return s >= 0x1p-12 && s <= 0x1p3 && std::frexp(s, &exponent) == 0.5; });
           },
           [](Drawn& x) { x.values.front() = 0; }},
          {"zero_points",
           {tensor("x", ElementType::i8, {"N", "C"})},
           {{"x", {"zero_points"}}},
           shapes,
           [](const Drawn& x, const Inputs&, const Dims&) { return all_within(x.values, -128, 127); },
           [](Drawn& x) { x.values.front() = 128; }}};
}

std::vector<Property> all_properties() {
  std::vector<Property> all;
  for (auto* some : {index_properties, ragged_properties, table_properties, mask_properties, matrix_properties, number_properties})
    for (Property& property : some()) all.push_back(std::move(property));
  return all;
}

class EachDraw : public testing::TestWithParam<Property> {};

TEST_P(EachDraw, KeepsItsPromiseAndABrokenOneIsSeen) {
  const Property& property = GetParam();
  for (const Dims& dims : property.shapes) {
    std::set<std::vector<double>> different;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Inputs all = draw_all(property, dims, seed);
      ASSERT_TRUE(property.holds(all.at("x"), all, dims)) << "seed " << seed << ", shape " << spec::to_string(all.at("x").shape);
      different.insert(all.at("x").values);
      Drawn broken = all.at("x");
      property.mutate(broken);
      ASSERT_FALSE(property.holds(broken, all, dims))
          << "the mutation passes: seed " << seed << ", shape " << spec::to_string(broken.shape);
    }
    if (dims == property.shapes.back()) {
      EXPECT_GT(different.size(), 20u) << "seeds give the same";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachDraw, testing::ValuesIn(all_properties()),
                         [](const auto& test) { return test.param.name + "_" + std::to_string(test.index); });

TEST(Draws, HaveAPropertyTestEach) {
  std::set<std::string> tested, known;
  for (const Property& property : all_properties())
    for (const auto& [name, init] : property.inits) tested.insert(init.kind);
  for (const auto& [name, draw] : spec::all_draws()) known.insert(name);
  EXPECT_EQ(tested, known);
}

TEST(Draws, ReachTheEndsOfTheirRange) {
  const auto seen = [](const std::string& draw, std::size_t number, const Dims& dims, auto&& wanted) {
    auto all = all_properties();
    std::erase_if(all, [&](const Property& property) { return property.name != draw; });
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto drawn = draw_all(all.at(number), dims, seed);
      count += static_cast<int>(std::ranges::count_if(drawn.at("x").values, wanted));
    }
    return count;
  };
  const Dims packed{{"B", 40}, {"S", 30}, {"T", 400}};
  EXPECT_GT(seen("lengths", 0, packed, [](double x) { return x == 2; }), 50);
  EXPECT_GT(seen("lengths", 0, packed, [](double x) { return x == 30; }), 50);
  EXPECT_GT(seen("lengths", 1, packed, [](double x) { return x == 1; }), 50);
  const Dims table{{"R", 100}, {"K", 4}, {"V", 50}};
  EXPECT_NEAR(seen("index", 2, table, [](double x) { return x == -100; }), 0.3 * 8000, 200);
  EXPECT_NEAR(seen("mask", 0, {{"B", 10}, {"S", 10}, {"K", 20}}, [](double x) { return x == 1; }), 0.1 * 40000 + 0.122 * 2000, 400);
  EXPECT_NEAR(seen("probability", 0, {{"N", 10}, {"C", 100}}, [](double x) { return x == 0; }), 0.5 * 20000, 500);
}

TEST(Draws, OfMatricesAreDense) {
  // A matrix that is all but diagonal would let kernels pass that read nothing else.
  for (const Property& property : matrix_properties()) {
    if (property.name == "triangular" || property.inits.at("x").numbers.contains("zero_pivots")) continue;
    const auto x = draw_all(property, {{"B", 1}, {"N", 33}}, 7).at("x");
    const auto largest = std::abs(*std::ranges::max_element(x.values, {}, [](double v) { return std::abs(v); }));
    EXPECT_LT(std::ranges::count_if(x.values, [&](double v) { return std::abs(v) < largest / 1000; }), 33 * 33 / 10) << property.name;
  }
}

TEST(Draws, HaveAStreamOfTheirOwnEach) {
  // What one input's draw takes from its stream says nothing of another's, whichever is drawn first.
  auto all = table_properties();
  const Dims dims{{"E", 90}, {"P", 30}, {"C", 11}};
  const auto rows = draw_all(all[0], dims, 3).at("rows").values;
  std::ranges::reverse(all[0].inputs);
  EXPECT_EQ(draw_all(all[0], dims, 3).at("rows").values, rows);
  all[0].inputs.pop_back();
  all[0].inits.erase("x");
  EXPECT_EQ(draw_all(all[0], dims, 3).at("rows").values, rows);
}

TEST(Draws, SayWhatCannotBeMet) {
  auto property = index_properties()[1];
  try {
    draw_all(property, {{"R", 3}, {"K", 4}, {"V", 11}}, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "input 'x' cannot be drawn: init 'index': 12 distinct indices do not fit in [0, 11)");
  }
}

TEST(Draws, GiveTheSameBytesEverywhere) {
  // FNV-1a, literal: they must not change between machines, compilers or versions.
  const std::map<std::string, std::uint64_t> hashes = {{"orthogonal", 18318218953926580775u}, {"positive_definite", 9609079862395542965u},
                                                       {"invertible", 1165633281238603823u},  {"triangular", 2908775287817254237u},
                                                       {"probability", 7741224542202004435u}, {"scales", 1372116300495327140u}};
  for (const auto& [kind, hash] : hashes) {
    const Bytes drawn =
        draw_input(tensor("x", ElementType::f32, {"N", "N"}), {65, 65}, {kind}, {}, oracle::Specials::nan, RandomStream(1, {"x"}));
    std::uint64_t got = 0xcbf29ce484222325u;
    for (const std::byte b : drawn) got = (got ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    EXPECT_EQ(got, hash) << kind;
  }
}

constexpr const char* kMasked = R"(summary: Masked sum of each row.
difficulty: 1
model: |
  masked_sum (float[N, C] x, float[N, C] keep, float[C, C] w) => (float[N, C] y)
  {
    kept = Mul(x, keep)
    y = MatMul(kept, w)
  }
dims: {N: [1, 64], C: [1, 300]}
inputs:
  keep: mask
  w: WEIGHTS
timing:
  cpu: {dims: {N: 256, C: 2048}}
)";

TEST(ExactCase, KeepsWhatIsPromised) {
  const auto prepared = [](const std::string& weights) {
    std::string text = kMasked;
    text.replace(text.find("WEIGHTS"), 7, weights);
    const Task task = spec::parse_task(text, "reduce/masked_sum/task.yaml");
    return prepare_exact_case(task, 1, {"exact", IntegerKind::plain, {{"N", 8}, {"C", 8}}, 0});
  };
  const auto exact = prepared("normal");
  ASSERT_TRUE(exact);
  const auto keep = oracle::load_value<double>(ElementType::f32, {8, 8}, exact->inputs[1].data());
  for (const double k : std::get<oracle::Tensor<double>>(keep.elements)) EXPECT_TRUE(k == 0 || k == 1) << k;
  // Integers are not orthogonal: there is no exact case then.
  EXPECT_FALSE(prepared("orthogonal"));
}

}  // namespace
}  // namespace assay::cases

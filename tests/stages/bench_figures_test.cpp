// SPDX-License-Identifier: Apache-2.0
// What a bench's record says, from launches whose figures are worked out by hand.
#include "assay/stages/bench_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace assay::stages {
namespace {

using record::Doubt, record::Record, record::Verdict;
using spec::ElementType, spec::Graph, spec::Node;
using testing::ElementsAre, testing::HasSubstr, testing::StartsWith;
using timing::LaunchTimes;

spec::TensorSpec tensor(const char* name, ElementType type = ElementType::f32) {
  spec::TensorSpec spec;
  spec.name = name;
  spec.type = type;
  return spec;
}

Node node(const char* op_type, std::vector<std::string> inputs, const char* output = "y", const char* domain = "") {
  Node made;
  made.op_type = op_type;
  made.domain = domain;
  made.inputs = std::move(inputs);
  made.outputs = {output};
  return made;
}

Graph model(std::vector<spec::TensorSpec> inputs, std::vector<Node> nodes) {
  Graph graph;
  graph.inputs = std::move(inputs);
  graph.outputs = {tensor("y")};
  graph.nodes = std::move(nodes);
  return graph;
}

TEST(BenchBudget, IsEnoughForCallsThatTakeTheirTime) {
  using std::chrono::seconds;
  EXPECT_EQ(bench_budget(seconds(1)), seconds(450));
  EXPECT_EQ(bench_budget(seconds(10)), seconds(450));
  EXPECT_EQ(bench_budget(seconds(20)), seconds(900));
}

TEST(OneProduct, IsOfRealMatricesAndNothingElse) {
  const auto a = tensor("a"), b = tensor("b");
  EXPECT_TRUE(is_one_product(model({a, b}, {node("MatMul", {"a", "b"})})));
  EXPECT_TRUE(is_one_product(model({tensor("a", ElementType::f64), tensor("b", ElementType::f64)}, {node("Gemm", {"a", "b"})})));
  EXPECT_FALSE(is_one_product(model({a, tensor("b", ElementType::f16)}, {node("MatMul", {"a", "b"})}))) << "tensor cores are faster";
  EXPECT_FALSE(is_one_product(model({a, b}, {node("Add", {"a", "b"})})));
  EXPECT_FALSE(is_one_product(model({a, b}, {node("MatMul", {"a", "b"}, "y", "assay")})));
  EXPECT_FALSE(is_one_product(model({a, b}, {node("MatMul", {"a", "b"}, "z"), node("Relu", {"z"})})));
}

TEST(ReadsAllInputs, WhereItsOneOperatorDoesSo) {
  const auto a = tensor("a"), b = tensor("b");
  EXPECT_TRUE(reads_all_inputs(model({a, b}, {node("Add", {"a", "b"})})));
  EXPECT_FALSE(reads_all_inputs(model({a}, {node("Sub", {"a", "a"})}))) << "0, whatever a is";
  EXPECT_FALSE(reads_all_inputs(model({a, b}, {node("Relu", {"a"})}))) << "b is not read";
  EXPECT_FALSE(reads_all_inputs(model({a, tensor("i", ElementType::i64)}, {node("Gather", {"a", "i"})})));
  EXPECT_FALSE(reads_all_inputs(model({a, b}, {node("Add", {"a", "b"}, "z"), node("Relu", {"z"})})));
  EXPECT_FALSE(reads_all_inputs(model({a}, {node("NoOperator", {"a"})})));
}

cases::ExpectedTensor output(const char* name, std::int64_t elements, std::optional<std::size_t> over = {}) {
  cases::ExpectedTensor tensor;
  tensor.name = name;
  tensor.shape = {elements};
  tensor.in_place = over;
  return tensor;
}

TEST(Work, IsAllThatGoesInAndOut) {
  Graph graph = model({tensor("x"), tensor("g")}, {node("Sub", {"x", "g"})});
  cases::PreparedCase layout;
  layout.inputs = {cases::Bytes(400'004), cases::Bytes(8)};
  layout.outputs = {output("y", 100'003)};
  layout.flops = 700'001;
  const Work fresh = work_of(graph, layout);
  EXPECT_EQ(fresh.bytes, 400'012 + 400'012);
  EXPECT_EQ(fresh.input_bytes, 400'012);
  EXPECT_EQ(fresh.output_bytes, 400'012);
  EXPECT_EQ(fresh.flops, 700'001);

  graph.outputs = {tensor("y"), tensor("z")};
  layout.outputs = {output("y", 100'001, 0), output("z", 3)};
  const Work in_place = work_of(graph, layout);
  EXPECT_EQ(in_place.bytes, 400'012 + 400'004 + 12);
  EXPECT_EQ(in_place.input_bytes, 400'012);
  EXPECT_EQ(in_place.output_bytes, 12) << "y may be right before the call";
}

TEST(Work, OfAnUpdateOfSomeElementsLeavesOutTheTable) {
  cases::PreparedCase layout;
  layout.inputs = {cases::Bytes(4000), cases::Bytes(8)};
  layout.outputs = {output("y", 1000, 0)};
  const auto bytes = [&](std::vector<Node> nodes) { return work_of(model({tensor("t"), tensor("x")}, std::move(nodes)), layout).bytes; };
  EXPECT_EQ(bytes({node("ScatterElements", {"t", "x"})}), 8);
  EXPECT_EQ(bytes({node("Neg", {"x"}, "z"), node("ScatterND", {"t", "z"})}), 8);
  EXPECT_EQ(bytes({node("Add", {"t", "x"})}), 8008);
  EXPECT_EQ(bytes({node("ScatterElements", {"x", "t"})}), 8008) << "over another input";
  layout.scattered_bytes = 400;
  EXPECT_EQ(bytes({node("ScatterElements", {"t", "x"})}), 408) << "what is written";
  layout.scattered_bytes = 0;
  EXPECT_EQ(bytes({node("ScatterElements", {"t", "x"}, "z"), node("Neg", {"z"})}), 8008) << "y is another tensor";
}

TEST(Spell, NamesEachExtent) {
  EXPECT_EQ(spell({{"N", 7}, {"C", 64}}), "C=64,N=7");
  EXPECT_EQ(spell({}), "");
}

/// Five launches of two pairs.
TimedShape timed(std::int64_t n, double seconds, double baseline_seconds, double overhead, Work work) {
  TimedShape shape{{{"N", n}}, work, {}};
  for (int i = 0; i < 5; ++i) {
    LaunchTimes launch;
    launch.pairs = {{seconds, baseline_seconds}, {seconds, baseline_seconds}};
    launch.overhead = overhead;
    launch.device = {0, 0};
    launch.clocks = {};
    shape.times.add(launch);
  }
  return shape;
}

/// One shape of 1 ms against 2 ms, one of 4 ms against 4 ms.
TimedTask two_shapes() {
  return {{timed(2, 1e-3, 2e-3, 3e-6, {8e6, 6e6, 2e6, 4e6}), timed(3, 4e-3, 4e-3, 5e-6, {2e6, 1e6, 1e6, 1e9})},
          {.flops = 1e12, .bandwidth = 1e10, .writing = 1e11, .native = true, .reading = 5e10}};
}

Record filled(const TimedTask& task, double steal = 0, double pressure = 0) {
  Record record;
  record.noise.emplace().steal = steal;
  record.noise->pressure = pressure;
  fill_figures(task, record);
  return record;
}

TEST(Figures, AreGeometricMeansOverShapesOfMedians) {
  const Record record = filled(two_shapes());
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
  EXPECT_EQ(record.detail, "");
  EXPECT_EQ(record.time_ns, 2e6);
  EXPECT_EQ(record.baseline_ns, std::round(std::sqrt(8.0) * 1e6));
  EXPECT_EQ(record.overhead_ns, 4e3);
  EXPECT_NEAR(record.speedup->estimate, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(*record.gbps, 2, 1e-12) << "8 and 0.5 GB/s";
  EXPECT_NEAR(*record.gflops, std::sqrt(4.0 * 250), 1e-9);
  EXPECT_NEAR(*record.efficiency, std::sqrt(0.8 * 0.25), 1e-12) << "the one by its bytes, the other by its operations";
  EXPECT_EQ(record.noise->baseline_drift, 1);
  EXPECT_EQ(record.device_ns, std::nullopt) << "there is no device's clock";
  EXPECT_EQ(record.judge_ns, std::nullopt);
  for (const double fold : record.folds.value()) EXPECT_NEAR(fold, std::sqrt(2.0), 1e-12);
}

TEST(Figures, ReachAllOfTheLimitAtMost) {
  TimedTask task = two_shapes();
  task.peaks.bandwidth = 4e9;  // half of what the first shape's call is said to move in its time
  EXPECT_NEAR(*filled(task).efficiency, std::sqrt(1 * 0.25), 1e-12) << "a kernel may need less than is counted";
}

TEST(Figures, AreOfEachShapeToo) {
  const Record record = filled(two_shapes());
  ASSERT_EQ(record.shapes.size(), 2u);
  EXPECT_THAT(record.shapes[0].dims, ElementsAre(std::pair("N", 2)));
  EXPECT_THAT(record.shapes[1].dims, ElementsAre(std::pair("N", 3)));
  EXPECT_EQ(record.shapes[0].time_ns, 1e6);
  EXPECT_EQ(record.shapes[0].baseline_ns, 2e6);
  EXPECT_EQ(record.shapes[1].time_ns, 4e6);
  EXPECT_EQ(record.shapes[1].baseline_ns, 4e6);
  EXPECT_NEAR(record.shapes[0].speedup->estimate, 2, 1e-12);
  EXPECT_NEAR(record.shapes[1].speedup->estimate, 1, 1e-12);
  EXPECT_NEAR(record.shapes[0].speedup->at_least, 2, 1e-3);
  EXPECT_LE(record.shapes[1].speedup->at_least, 1);
  EXPECT_GT(record.shapes[1].speedup->at_least, 0.99);
}

TEST(Figures, AtLeastOfAShapeIsHolmsBoundAndNotItsOwn) {
  TimedTask task = two_shapes();
  for (TimedShape& shape : task.shapes) shape.times.log_ratios = {0.68, 0.69, 0.70, 0.71, 0.72};
  const Record record = filled(task);
  const double own = timing::speedup_over(task.shapes[0].times.log_ratios).at_least;
  EXPECT_LT(record.shapes[0].speedup->at_least, own);
  EXPECT_DOUBLE_EQ(record.shapes[0].speedup->at_least,
                   timing::holm_lower_bounds({{0.68, 0.69, 0.70, 0.71, 0.72}, {0.68, 0.69, 0.70, 0.71, 0.72}})[0]);
}

TEST(Figures, HaveTheWorstDriftOfTheBaseline) {
  TimedTask task = two_shapes();
  task.shapes[0].times.baseline_launches = {1, 1, 1, 1, 1.25};
  task.shapes[1].times.baseline_launches = {1, 1, 1, 1, 1.2345};
  EXPECT_EQ(filled(task).noise->baseline_drift, 1.25);
  task.shapes[0].times.baseline_launches = {1, 1, 1, 1, 1.0123};
  EXPECT_EQ(filled(task).noise->baseline_drift, 1.2345);
  std::swap(task.shapes[0].times.baseline_launches, task.shapes[1].times.baseline_launches);
  EXPECT_EQ(filled(task).noise->baseline_drift, 1.2345);
}

struct Judged {
  Verdict verdict;
  std::string detail;
  Doubt doubt;
};

/// One shape of 1 ms that writes 2 MB, reads 6 MB and computes, after `change`.
Judged judged(void (*change)(TimedTask&), double steal = 0) {
  TimedTask task = two_shapes();
  task.shapes.pop_back();
  change(task);
  const Record record = filled(task, steal);
  return {record.verdict, record.detail, record.doubt};
}

TEST(Verdict, SuspectsWhatNoMachineWritesReadsOrMultipliesSoFast) {
  const auto verdict = [](void (*change)(TimedTask&)) { return judged(change).verdict; };
  EXPECT_EQ(verdict([](TimedTask&) {}), Verdict::pass);
  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.writing = 1.5e9; }), Verdict::suspect_fast);

  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.reading = 5e9; }), Verdict::pass) << "it need not read all";
  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.reading = 5e9, t.reads_all = true; }), Verdict::suspect_fast);
  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.reading = 5e9, t.reads_all = true, t.peaks.native = false; }), Verdict::pass)
      << "the peak was not measured with the widest vectors";
  EXPECT_EQ(verdict([](TimedTask& t) { t.reads_all = true; }), Verdict::pass);

  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.flops = 1.9e9; }), Verdict::pass) << "it is no product";
  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.flops = 1.9e9, t.product = true; }), Verdict::suspect_fast);
  EXPECT_EQ(verdict([](TimedTask& t) { t.peaks.flops = 1.9e9, t.product = true, t.peaks.native = false; }), Verdict::pass);
  EXPECT_EQ(verdict([](TimedTask& t) { t.product = true; }), Verdict::pass);
}

TEST(Verdict, SuspectsNothingOfWhatNeedNotBeDone) {
  // A byte takes 1,000 s, an operation 500 s.
  EXPECT_EQ(judged([](TimedTask& t) { t.peaks.reading = 1e-3; }).verdict, Verdict::pass);
  EXPECT_EQ(judged([](TimedTask& t) { t.peaks.flops = 1e-3; }).verdict, Verdict::pass);
  // 1 ms, and 3 us of an empty call, against the time for 2 MB.
  EXPECT_EQ(judged([](TimedTask& t) { t.peaks.writing = 2e6 / 1.0029e-3; }).verdict, Verdict::pass);
  EXPECT_EQ(judged([](TimedTask& t) { t.peaks.writing = 2e6 / 1.0031e-3; }).verdict, Verdict::suspect_fast);
}

TEST(Verdict, IsInconclusiveWhereTheMachineWasNotOurs) {
  const Judged steal = judged([](TimedTask&) {}, 0.2);
  EXPECT_EQ(steal.verdict, Verdict::inconclusive);
  EXPECT_EQ(steal.doubt, Doubt::machine);
  const Judged drift = judged([](TimedTask& t) { t.shapes[0].times.baseline_launches = {1, 1, 1, 1, 2.5}; });
  EXPECT_EQ(drift.verdict, Verdict::inconclusive);
  EXPECT_EQ(drift.doubt, Doubt::machine);
  const Judged own = judged([](TimedTask& t) {
    t.shapes[0].times.log_ratios = {-1, 0, 1, 2, 3};
    t.shapes[0].times.candidate_launches = {1, 1, 1, 1, 3};
  });
  EXPECT_EQ(own.verdict, Verdict::inconclusive);
  EXPECT_EQ(own.doubt, Doubt::candidate);
  const Judged small = judged([](TimedTask& t) { t.shapes[0].times.overheads.assign(5, 2e-4); });
  EXPECT_EQ(small.verdict, Verdict::inconclusive);
  EXPECT_EQ(small.doubt, Doubt::length);
}

TEST(Verdict, IsOfTheFirstShapeThatDoesNotPass) {
  TimedTask task = two_shapes();
  task.shapes[1].work.output_bytes = 1e9;
  Record record = filled(task);
  EXPECT_EQ(record.verdict, Verdict::suspect_fast);
  EXPECT_THAT(record.detail, StartsWith("N=3: 4e+03 us"));
  task.shapes[0].times.overheads.assign(5, 2e-4);
  record = filled(task);
  EXPECT_EQ(record.verdict, Verdict::inconclusive);
  EXPECT_THAT(record.detail, StartsWith("N=2: a call takes 1e+03 us"));
  task.shapes.pop_back();
  EXPECT_THAT(filled(task).detail, StartsWith("a call takes 1e+03 us")) << "the only shape need not be named";
}

TEST(DeviceTime, StandsBesideTheJudges) {
  TimedTask task = two_shapes();
  task.shapes[0].times.device.assign(10, 0.9e-3);
  EXPECT_EQ(filled(task).device_ns, std::nullopt) << "one of two shapes has none";
  task.shapes[1].times.device.assign(10, 3.6e-3);
  const Record record = filled(task);
  EXPECT_EQ(record.device_ns, 1.8e6);
  EXPECT_EQ(record.time_ns, 2e6);
  EXPECT_EQ(record.detail, "");
}

TEST(DeviceTime, FarFromTheJudgesIsSaid) {
  const auto detail = [](double device, double steal = 0) {
    TimedTask task = two_shapes();
    task.shapes.pop_back();
    task.shapes[0].times.device.assign(10, device);
    return filled(task, steal).detail;
  };
  // The judge's clock says 1 ms; a launch of 200 us comes on top of 1.5 times the device's.
  EXPECT_EQ(detail(1.49e-3), "");
  EXPECT_EQ(detail(1.51e-3), "N=2: a call takes 1e+03 us, by the device's own clock 1.51e+03 us");
  EXPECT_EQ(detail(0.54e-3), "");
  EXPECT_EQ(detail(0.53e-3), "N=2: a call takes 1e+03 us, by the device's own clock 530 us");
  EXPECT_THAT(detail(1.51e-3, 0.2), HasSubstr("hypervisor")) << "what the verdict says is kept";
  // The limits themselves are near enough.
  EXPECT_EQ(detail(1.5 * 1e-3), "");
  EXPECT_NE(detail(1.5 * 1e-3 * (1 + 1e-12)), "");
  TimedTask task = two_shapes();
  task.shapes.pop_back();
  task.shapes[0].times.device.assign(10, 0.5e-3);
  task.shapes[0].times.candidate.assign(10, 1.5 * 0.5e-3 + 200e-6);
  EXPECT_EQ(filled(task).detail, "");
  task.shapes[0].times.candidate.assign(10, (1.5 * 0.5e-3 + 200e-6) * (1 + 1e-12));
  EXPECT_NE(filled(task).detail, "");
}

/// Launches in two batches of four calls.
TimedTask in_batches(double judge, double unsure = 0) {
  TimedTask task = two_shapes();
  double megahertz = 1000;
  for (TimedShape& shape : task.shapes) {
    const timing::ShapeTimes before = std::exchange(shape.times, {});
    for (int i = 0; i < 5; ++i) {
      LaunchTimes launch;
      const double seconds = before.candidate.front();
      launch.pairs.assign(4, {seconds, before.baseline.front()});
      launch.overhead = 1;
      launch.device.assign(4, seconds);
      launch.clocks = {4, judge * 4 * seconds, 4 * seconds, 4 * unsure};
      launch.states.resize(2);
      for (record::DeviceState& state : launch.states) state.sm_mhz = megahertz++;
      shape.times.add(launch);
    }
  }
  return task;
}

TEST(Batches, AreTimedByTheDevicesClock) {
  EXPECT_FALSE(two_shapes().shapes.front().in_batches());
  TimedTask task = in_batches(1.01);
  EXPECT_TRUE(task.shapes.front().in_batches());
  Record record = filled(task);
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail << ": nothing is taken off, however long an empty call is";
  EXPECT_EQ(record.device_ns, 2e6);
  EXPECT_EQ(record.time_ns, 2e6);
  EXPECT_EQ(record.judge_ns, 2.02e6);
  EXPECT_EQ(record.device_before->sm_mhz, 1000) << "before the first batch of the first shape";
  EXPECT_EQ(record.device_after->sm_mhz, 1019) << "after the last of the last";
  task.shapes[1].times.states.clear();
  record = filled(task);
  EXPECT_EQ(record.device_before->sm_mhz, 1000);
  EXPECT_EQ(record.device_after->sm_mhz, 1009);
  task.shapes[0].times.states.clear();
  EXPECT_EQ(filled(task).device_before, std::nullopt);
}

TEST(Batches, ThatTookLongerByTheJudgesClockAreSuspect) {
  const Record record = filled(in_batches(1.2));
  EXPECT_EQ(record.verdict, Verdict::suspect_fast);
  EXPECT_THAT(record.detail, StartsWith("N=2: in a batch a call takes 1e+03 us by the device's clock, 1.2e+03 us by the judge's"));
  EXPECT_EQ(filled(in_batches(1.2, 1e-3)).verdict, Verdict::pass) << "empty batches differ by as much";
  EXPECT_EQ(filled(in_batches(1.2), 0, 0.5).verdict, Verdict::inconclusive) << "the judge may have waited";
  EXPECT_EQ(filled(in_batches(0.8)).verdict, Verdict::inconclusive);
}

TEST(Batches, ThatTookLongerInFewLaunchesAreNotBelieved) {
  const auto verdict = [](std::size_t launches) {
    TimedTask task = in_batches(1);
    for (std::size_t i = 0; i < launches; ++i) task.shapes[0].times.clocks[i].judge *= 1.2;
    EXPECT_EQ(task.shapes[0].times.clocks.size(), 5u);
    return filled(task).verdict;
  };
  EXPECT_EQ(verdict(0), Verdict::pass);
  EXPECT_EQ(verdict(1), Verdict::inconclusive);
  EXPECT_EQ(verdict(2), Verdict::inconclusive);
  EXPECT_EQ(verdict(3), Verdict::suspect_fast);
}

TEST(Batches, AreHeldToTheLastFigure) {
  // A call of 1 ms may take a tenth and 20 us longer by the judge's clock.
  const auto verdict = [](double judge, double unsure = 0, double pressure = 0) {
    TimedTask task = in_batches(judge, unsure);
    task.shapes.pop_back();
    return filled(task, 0, pressure).verdict;
  };
  EXPECT_EQ(verdict(1.1199), Verdict::pass);
  EXPECT_EQ(verdict(1.1201), Verdict::suspect_fast);
  EXPECT_EQ(verdict(1.1201, 0.00011e-3), Verdict::pass);
  EXPECT_EQ(verdict(1.1201, 0.00009e-3), Verdict::suspect_fast);
  Record unknown;
  unknown.noise.emplace();
  fill_figures(in_batches(1.2), unknown);
  EXPECT_EQ(unknown.verdict, Verdict::suspect_fast) << "nobody says that the judge waited";
}

TEST(Batches, MayBeOfOneCall) {
  TimedTask task = two_shapes();
  for (TimedShape& shape : task.shapes)
    shape.times.clocks.assign(5, {1, 1.01 * shape.times.candidate.front(), shape.times.candidate.front(), 0});
  EXPECT_TRUE(task.shapes.front().in_batches());
  EXPECT_EQ(filled(task).judge_ns, 2.02e6);
}

TEST(Batches, AreNotOfEveryShape) {
  TimedTask task = in_batches(1.01);
  task.shapes[1].times.clocks.assign(5, {});
  EXPECT_EQ(filled(task).judge_ns, std::round(std::sqrt(1.01e-3 * 1e-9) * 1e9)) << "one whose calls do not fit into a batch has no time";
}

TEST(Batches, WithoutKernelsMayTakeAsLongAsThoseWithThem) {
  EXPECT_EQ(filled(in_batches(-0.0001)).judge_ns, 1) << "a mean of logarithms needs a time above 0";
}

}  // namespace
}  // namespace assay::stages

// SPDX-License-Identifier: Apache-2.0
// Recurrent layers against their equations with one hidden unit.
#include "error_scale.h"

namespace assay::oracle {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(RNN, stepsThroughTime) {
  const double first = std::tanh(0.5 * 1 + 0.1), second = std::tanh(0.5 * 2 - 0.3 * first + 0.1);
  const std::vector<Input> inputs{reals({2, 1, 1}, {1, 2}), reals({1, 1, 1}, {0.5}), reals({1, 1, 1}, {-0.3}), reals({1, 2}, {0.07, 0.03})};
  const OneNode rnn = OneNode("RNN", 2).with("hidden_size", 1);
  expect(rnn, inputs, {2, 1, 1, 1}, {first, second}, 0, 1e-7);
  expect(rnn, inputs, {1, 1, 1}, {second}, 1, 1e-7);
}

TEST(RNN, runsBackwardsAndBothWays) {
  const auto step = [](double x, double h) { return std::tanh(0.5 * x - 0.25 * h); };
  const double b1 = step(2, 0), b0 = step(1, b1), f0 = step(1, 0), f1 = step(2, f0);
  const std::vector<Input> one{reals({2, 1, 1}, {1, 2}), reals({1, 1, 1}, {0.5}), reals({1, 1, 1}, {-0.25})};
  expect(OneNode("RNN", 2).with("direction", "reverse"), one, {2, 1, 1, 1}, {b0, b1}, 0);
  expect(OneNode("RNN", 2).with("direction", "reverse"), one, {1, 1, 1}, {b0}, 1);
  const std::vector<Input> two{reals({2, 1, 1}, {1, 2}), reals({2, 1, 1}, {0.5, 0.5}), reals({2, 1, 1}, {-0.25, -0.25})};
  expect(OneNode("RNN", 2).with("direction", "bidirectional"), two, {2, 2, 1, 1}, {f0, b0, f1, b1}, 0);
  expect(OneNode("RNN", 2).with("direction", "bidirectional"), two, {2, 1, 1}, {f1, b0}, 1);
}

TEST(RNN, stopsShortSequences) {
  const std::vector<Input> inputs{reals({2, 2, 1}, {1, 1, 2, 2}), reals({1, 1, 1}, {1}), reals({1, 1, 1}, {0}), omitted(),
                                  integers({2}, {1, 2}, ElementType::i32)};
  expect(OneNode("RNN", 2), inputs, {2, 1, 2, 1}, {std::tanh(1), std::tanh(1), 0, std::tanh(2)}, 0);
  expect(OneNode("RNN", 2), inputs, {1, 2, 1}, {std::tanh(1), std::tanh(2)}, 1);
}

TEST(RNN, putsTheBatchFirstWhereAsked) {
  const std::vector<Input> inputs{reals({2, 1, 1}, {1, 2}), reals({1, 1, 1}, {1}), reals({1, 1, 1}, {0})};
  expect(OneNode("RNN", 2).with("layout", 1).with("activations", Attribute(std::vector<std::string>{"Relu"})), inputs, {2, 1, 1, 1}, {1, 2},
         0);
}

TEST(GRU, followsItsEquations) {
  const double x = 0.8, h = 0.4;
  const double z = sigmoid(0.5 * x + 0.2 * h), r = sigmoid(-0.6 * x + 0.3 * h);
  const double before = std::tanh(0.9 * x + 0.7 * (r * h) + 0.11), after = std::tanh(0.9 * x + r * (0.7 * h + 0.06) + 0.05);
  const std::vector<Input> inputs{reals({1, 1, 1}, {x}),
                                  reals({1, 3, 1}, {0.5, -0.6, 0.9}),
                                  reals({1, 3, 1}, {0.2, 0.3, 0.7}),
                                  reals({1, 6}, {0, 0, 0.05, 0, 0, 0.06}),
                                  omitted(),
                                  reals({1, 1, 1}, {h})};
  expect(OneNode("GRU", 2), inputs, {1, 1, 1}, {(1 - z) * before + z * h}, 1, 1e-7);
  expect(OneNode("GRU", 2).with("linear_before_reset", 1), inputs, {1, 1, 1}, {(1 - z) * after + z * h}, 1, 1e-7);
}

TEST(LSTM, followsItsEquations) {
  const double x = 0.8, h = 0.4, c = -0.3;
  const double i = sigmoid(0.5 * x + 0.1 * h + 0.2 * c), f = sigmoid(0.7 * x + 0.3 * h + 0.6 * c);
  const double cell = f * c + i * std::tanh(-0.9 * x + 0.4 * h), o = sigmoid(-0.2 * x + 0.2 * h + 0.4 * cell);
  const std::vector<Input> inputs{reals({1, 1, 1}, {x}),
                                  reals({1, 4, 1}, {0.5, -0.2, 0.7, -0.9}),
                                  reals({1, 4, 1}, {0.1, 0.2, 0.3, 0.4}),
                                  omitted(),
                                  omitted(),
                                  reals({1, 1, 1}, {h}),
                                  reals({1, 1, 1}, {c}),
                                  reals({1, 3}, {0.2, 0.4, 0.6})};
  expect(OneNode("LSTM", 3), inputs, {1, 1, 1}, {o * std::tanh(cell)}, 1, 1e-7);
  expect(OneNode("LSTM", 3), inputs, {1, 1, 1}, {cell}, 2, 1e-7);
}

TEST(LSTM, refusesShapesThatDoNotFit) {
  EXPECT_THROW(OneNode("LSTM").run<float>({normal({2, 1, 3}, 1), normal({1, 8, 4}, 2), normal({1, 8, 2}, 3)}), OperatorError);
  EXPECT_THROW(OneNode("LSTM").run<float>({normal({2, 1, 3}, 1), normal({1, 8, 3}, 2), normal({1, 8, 2}, 3), normal({1, 8}, 4)}),
               OperatorError);
}

TEST(RecurrentLayers, haveAnHonestErrorScale) {
  for (const auto& [name, gates] : {std::pair("RNN", 1), std::pair("GRU", 3), std::pair("LSTM", 4)})
    expect_honest_scale(
        OneNode(name),
        {normal({6, 3, 20}, 1), normal({1, gates * 16, 20}, 2, 0.2), normal({1, gates * 16, 16}, 3, 0.2), normal({1, gates * 32}, 4)}, 0,
        1000);
}

}  // namespace
}  // namespace assay::oracle

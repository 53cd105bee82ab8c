// SPDX-License-Identifier: Apache-2.0
// Sequences of different lengths: how long each is, and where it begins among all that are packed one after the other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assay/spec/draw.h"

namespace assay::spec {
namespace {

struct Range {
  std::int64_t low, high;
};

/// `count` numbers in `range` that add up to `total`; of eight, one is as low as it can be.
std::vector<std::int64_t> parts(std::size_t count, std::int64_t total, Range range, RandomSource& random) {
  std::vector<double> weights(count);
  double sum = 0;
  for (double& weight : weights) sum += weight = random.below(8) == 0 ? 0 : random.uniform();
  std::vector<std::int64_t> part(count, range.low);
  std::int64_t rest = total - static_cast<std::int64_t>(count) * range.low;
  const auto spread = static_cast<double>(rest);
  const auto add = [&](std::size_t i, std::int64_t wanted) {
    const std::int64_t more = std::min({wanted, rest, range.high - part[i]});
    part[i] += more;
    rest -= more;
  };
  for (std::size_t i = 0; sum > 0 && i < count; ++i) add(i, static_cast<std::int64_t>(spread * weights[i] / sum));
  // What rounding and the upper end have left goes around from a drawn place on; to the low ones only where it must.
  std::size_t at = random.below(count);
  for (std::size_t step = 0; rest > 0; ++step, at = (at + 1) % count)
    if (weights[at] > 0 || step > 2 * count) add(at, std::max<std::int64_t>(1, rest / static_cast<std::int64_t>(count)));
  return part;
}

/// Why `count` numbers in `range` cannot add up to `total`; empty where they can.
std::string sum_obstacle(std::int64_t count, std::int64_t total, Range range) {
  if (count >= 1 && count * range.low <= total && total <= count * std::min(range.high, total)) return "";
  return fmt::format("{} lengths from {} to {} do not add up to {}", count, range.low, range.high, total);
}

Range length_range(const DrawnInput& input) { return {input.integer("low", 0), input.extent("of")}; }

std::string lengths_promise(const TensorSpec&, const InputInit& init) {
  const auto low = init.numbers.find("low"), end = init.numbers.end();
  std::string text = fmt::format("every element is at least {} and at most {}", low == end ? 0 : low->second, init.names.at("of"));
  if (init.names.contains("total")) text += fmt::format("; they add up to {}", init.names.at("total"));
  return text + ".";
}

std::string lengths_obstacle(const DrawnInput& input) {
  const Range range = length_range(input);
  if (range.low < 0 || range.low > range.high) return fmt::format("needs 0 <= low <= of, got {} and {}", range.low, range.high);
  return input.has("total") ? sum_obstacle(element_count(input.shape), input.extent("total"), range) : "";
}

std::vector<double> draw_lengths(const DrawnInput& input, RandomSource& random) {
  const auto count = static_cast<std::size_t>(element_count(input.shape));
  const Range range = length_range(input);
  if (input.has("total")) {
    const auto part = parts(count, input.extent("total"), range, random);
    return {part.begin(), part.end()};
  }
  std::vector<double> lengths(count);
  for (double& length : lengths) {
    const std::uint64_t end = random.below(8);  // the ends are where kernels go wrong
    const std::uint64_t above = end == 0 ? 0 : end == 1 ? range.high - range.low : random.below(range.high - range.low + 1);
    length = static_cast<double>(range.low + static_cast<std::int64_t>(above));
  }
  return lengths;
}

std::int64_t sequences(const DrawnInput& input) { return input.columns() - (input.flag("end", true) ? 1 : 0); }

Range step_range(const DrawnInput& input) {
  const std::int64_t total = input.extent("of");
  return {input.integer("low", 0), input.has("most") ? std::min(total, input.extent("most")) : total};
}

std::string offsets_promise(const TensorSpec& spec, const InputInit& init) {
  const auto flag = init.numbers.find("end");
  const bool has_end = flag == init.numbers.end() || flag->second != 0;
  if (init.names.contains("lengths")) {
    const std::string sum = fmt::format("{0}[i] = {1}[0] + ... + {1}[i - 1]; {0}[0] = 0", spec.name, init.names.at("lengths"));
    return init.names.contains("of") ? fmt::format("{}; all {} add up to {} at most.", sum, init.names.at("lengths"), init.names.at("of"))
                                     : sum + ".";
  }
  const std::string& total = init.names.at("of");
  std::string text = "begins with 0 and never decreases; ";
  text += has_end ? fmt::format("its last element is {}", total) : fmt::format("none is above {}, where the last sequence ends", total);
  const auto low = init.numbers.find("low");
  std::vector<std::string> limits;
  if (low != init.numbers.end() && low->second > 0) limits.push_back(fmt::format("at least {}", low->second));
  if (init.names.contains("most")) limits.push_back(fmt::format("at most {}", init.names.at("most")));
  if (!limits.empty()) text += fmt::format("; it grows by {} from element to element", fmt::join(limits, " and "));
  return text + ".";
}

std::string offsets_obstacle(const DrawnInput& input) {
  if (input.shape.size() != 1) return "must have one axis";
  if (sequences(input) < 1) return "needs two elements, the first is 0 and the last the end";
  if (!input.has("lengths")) {
    if (!input.has("of")) return "says neither 'of', where the last sequence ends, nor 'lengths'";
    const Range range = step_range(input);
    if (range.low < 0) return fmt::format("needs low >= 0, got {}", range.low);
    return sum_obstacle(sequences(input), input.extent("of"), range);
  }
  if (input.has("low") || input.has("most")) return "takes 'low' and 'most' from 'lengths'";
  const DrawnInput& lengths = *input.related.at("lengths");
  const std::int64_t count = element_count(lengths.shape);
  if (count != sequences(input)) return fmt::format("has {} sequences, and there are {} lengths", sequences(input), count);
  const std::int64_t most = lengths.has("total") ? lengths.extent("total") : count * lengths.extent("of");
  if (input.has("of") && most > input.extent("of")) return fmt::format("the lengths may add up to {}, above {}", most, input.extent("of"));
  return "";
}

std::vector<double> draw_offsets(const DrawnInput& input, RandomSource& random) {
  std::vector<double> steps;
  if (input.has("lengths")) {
    steps = input.related.at("lengths")->values;
  } else {
    const auto part = parts(static_cast<std::size_t>(sequences(input)), input.extent("of"), step_range(input), random);
    steps.assign(part.begin(), part.end());
  }
  std::vector<double> offsets = {0};
  for (std::size_t i = 0; offsets.size() < static_cast<std::size_t>(input.columns()); ++i) offsets.push_back(offsets.back() + steps[i]);
  return offsets;
}

using Kind = DrawParameter::Kind;
const bool kLengths = define_draw({.name = "lengths",
                                   .types = {ElementClass::integer},
                                   .parameters = {{"of", Kind::extent, true}, {"low", Kind::number}, {"total", Kind::extent}},
                                   .promise = lengths_promise,
                                   .obstacle = lengths_obstacle,
                                   .draw = draw_lengths});
const bool kOffsets = define_draw({.name = "offsets",
                                   .types = {ElementClass::integer},
                                   .parameters = {{"of", Kind::extent},
                                                  {"lengths", Kind::input, false, {"lengths"}},
                                                  {"low", Kind::number},
                                                  {"most", Kind::extent},
                                                  {"end", Kind::flag}},
                                   .promise = offsets_promise,
                                   .obstacle = offsets_obstacle,
                                   .draw = draw_offsets});

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// What sorting by logits and adding up finds, without sorting: selection by weight halves what is left.
#pragma once

#include "blocks/vector_math.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace blocks {

struct Token {
  float logit, power;
  int64_t place;
};

using Tokens = std::vector<Token>;

struct Front {
  int64_t tokens;
  double sum;  ///< of their powers
};

/// Moves those tokens of [begin, end) to the front which come first by `before`, as long as stays(the sum of their powers), but not the last
/// one of all.
template <class Before, class Stays>
Front select_front(Tokens::iterator begin, Tokens::iterator end, Before before, Stays stays) {
  const auto first = begin;
  Front front{0, 0};
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, before);
    double sum = front.sum;
    for (auto t = begin; t < middle; ++t) sum += t->power;
    if (stays(sum)) front.sum = sum, begin = middle;
    else end = middle;
  }
  front.tokens = begin - first;
  return front;
}

}  // namespace blocks

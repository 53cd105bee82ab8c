// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <tuple>

#include "mutation.h"
#include "source.h"

namespace assay {

/// Turns replacements into mutations of one source, each text once.
class Collector {
 public:
  explicit Collector(const Source& source);

  /// Nothing happens where the replacement changes nothing, is known, or lies between #if and #endif.
  void add(Kind kind, const std::string& function, Range at, const std::string& replacement);

  /// In the order of the file.
  std::vector<Mutation> take();

 private:
  const Source& source_;
  std::set<unsigned> conditional_;  ///< lines between #if and #endif
  std::set<std::tuple<std::size_t, std::size_t, std::string>> seen_;
  std::vector<Mutation> found_;
};

}  // namespace assay

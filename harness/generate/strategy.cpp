// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/strategy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <stdexcept>

#include "assay/spec/nearest.h"

namespace assay::generate {
namespace {

std::map<std::string, MakeStrategy>& strategies() {
  static std::map<std::string, MakeStrategy> known;
  return known;
}

}  // namespace

bool define_strategy(const std::string& name, MakeStrategy make) { return strategies().emplace(name, make).second; }

std::unique_ptr<Strategy> make_strategy(const std::string& name) {
  const auto found = strategies().find(name);
  if (found != strategies().end()) return found->second();
  std::vector<std::string> known;
  for (const auto& [strategy, make] : strategies()) known.push_back(strategy);
  throw std::runtime_error(
      fmt::format("generate: no strategy '{}'{}. known: {}", name, spec::did_you_mean(name, known), fmt::join(known, " ")));
}

}  // namespace assay::generate

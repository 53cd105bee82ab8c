// SPDX-License-Identifier: Apache-2.0
#include "choose.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace assay {
namespace {

/// FNV-1a, 64 bits (Fowler, Noll, Vo), with a finalizer that spreads its weak high bits. std::hash differs
/// from one library to another.
std::uint64_t hash(std::initializer_list<std::string_view> parts) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const std::string_view part : parts) {
    for (const char c : part) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    value = (value ^ 0xffu) * 0x100000001b3u;
  }
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93u;
  return value ^ (value >> 32);
}

}  // namespace

std::vector<Mutation> choose(std::vector<Mutation> mutations, std::size_t count, std::string_view seed) {
  const auto order = [&](const Mutation& m) { return hash({seed, name(m.kind), m.original, m.mutated}); };
  std::ranges::sort(mutations, {}, order);
  std::map<Kind, int> of_kind;
  std::map<std::string, int> of_function;
  std::map<unsigned, int> of_line;
  std::vector<Mutation> chosen;
  while (chosen.size() < count && !mutations.empty()) {
    const auto next = std::ranges::min_element(
        mutations, {}, [&](const Mutation& m) { return std::tuple(of_kind[m.kind], of_function[m.function], of_line[m.line]); });
    ++of_kind[next->kind], ++of_function[next->function], ++of_line[next->line];
    chosen.push_back(std::move(*next));
    mutations.erase(next);
  }
  return chosen;
}

}  // namespace assay

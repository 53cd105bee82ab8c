// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/example_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

#include "assay/record/printable.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;

constexpr double kK1 = 1.2, kB = 0.75;

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return is_letter_or_digit(c) || c == '_'; }

/// Lower case; an identifier is the words between its underscores: bias_relu is near to relu.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter_or_digit(text[at])) {
      ++at;
      continue;
    }
    std::string word;
    for (; at < text.size() && is_letter_or_digit(text[at]); ++at)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
    words.push_back(std::move(word));
  }
  return words;
}

std::set<std::size_t> shingles_of(const std::vector<std::string>& words) {
  std::set<std::size_t> shingles;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::string shingle;
    const std::size_t end = std::min(begin + kShingle, words.size());
    for (std::size_t i = begin; i < end; ++i) shingle += words[i] + " ";
    shingles.insert(std::hash<std::string>()(shingle));
    if (end == words.size()) break;
  }
  return shingles;
}

double jaccard(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
  const auto common = static_cast<double>(std::ranges::count_if(a, [&](std::size_t shingle) { return b.contains(shingle); }));
  const double all = static_cast<double>(a.size() + b.size()) - common;
  return all > 0 ? common / all : 1;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in.is_open() || in.bad() || text.fail())
    throw std::runtime_error(
        fmt::format("prompt: the example {} cannot be read. do: make it readable, or remove it", record::printable(file.string())));
  return text.str();
}

}  // namespace

bool mentions(std::string_view text, const std::string& function) {
  for (std::size_t at = text.find(function); at != text.npos; at = text.find(function, at + 1)) {
    const std::size_t end = at + function.size(), next = text.find_first_not_of(" \t\n", end);
    if ((at == 0 || !is_word(text[at - 1])) && next != text.npos && text[next] == '(') return true;
  }
  return false;
}

bool is_variant(std::string_view name, std::string_view other) {
  const auto enclosed = [](std::string_view text) { return fmt::format("_{}_", text); };
  const std::string one = enclosed(name), two = enclosed(other);
  return !name.empty() && !other.empty() && (one.find(two) != one.npos || two.find(one) != two.npos);
}

ExampleFolder::ExampleFolder(const fs::path& folder, const std::string& suffix) {
  if (!fs::is_directory(folder))
    throw std::runtime_error(
        fmt::format("prompt: {} is no folder of examples. do: give shots as retrieval:FOLDER", record::printable(folder.string())));
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink() || !entry.is_regular_file() || entry.file_size() > kMostExampleBytes) continue;
    if (const std::string name = entry.path().filename().string(); !name.ends_with(".md") && !name.ends_with(suffix)) continue;
    examples_.push_back({entry.path().lexically_relative(folder).generic_string(), ""});
    if (examples_.size() > kMostExamples)
      throw std::runtime_error(fmt::format("prompt: {} has more than {} examples. do: name a smaller folder",
                                           record::printable(folder.string()), kMostExamples));
  }
  if (examples_.empty())
    throw std::runtime_error(
        fmt::format("prompt: {} has no example. do: put files *.md or *{} there", record::printable(folder.string()), suffix));
  std::ranges::sort(examples_, {}, &Example::path);
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    examples_[i].text = text_of(folder / examples_[i].path);
    const std::vector<std::string> words = words_of(examples_[i].text);
    std::map<std::string, int> times;
    for (const std::string& word : words) ++times[word];
    for (const auto& [word, count] : times) postings_[word].push_back({i, count});
    words_.push_back(words.size());
    shingles_.push_back(shingles_of(words));
  }
}

bool ExampleFolder::is_left_out(const Example& example, const std::string& task, const std::vector<std::string>& family) const {
  for (const fs::path& part : fs::path(example.path)) {
    const std::string file = part.string(), name = file.substr(0, file.find('.'));
    if (is_variant(name, task) || std::ranges::find(family, name) != family.end()) return true;
  }
  return mentions(example.text, task);
}

std::vector<ExampleFolder::Near> ExampleFolder::nearest(std::string_view query, const std::string& task,
                                                        const std::vector<std::string>& family, std::size_t count) const {
  std::vector<bool> eligible;
  double left = 0, words = 0;
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    eligible.push_back(!is_left_out(examples_[i], task, family));
    if (!eligible[i]) continue;
    ++left;
    words += static_cast<double>(words_[i]);
  }
  std::map<std::size_t, double> scores;
  const std::vector<std::string> asked = words_of(query);
  for (const std::string& word : std::set<std::string>(asked.begin(), asked.end())) {
    const auto found = postings_.find(word);
    if (found == postings_.end()) continue;
    const auto with = static_cast<double>(std::ranges::count_if(found->second, [&](const Posting& p) { return eligible[p.example]; }));
    // The 1 keeps a word that most examples have from counting against them.
    const double idf = std::log(1 + (left - with + 0.5) / (with + 0.5));
    for (const auto& [example, times] : found->second) {
      if (!eligible[example]) continue;
      const double length = static_cast<double>(words_[example]) * left / words;
      scores[example] += idf * times * (kK1 + 1) / (times + kK1 * (1 - kB + kB * length));
    }
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (const auto& [example, score] : scores) ranked.emplace_back(-score, example);
  std::ranges::sort(ranked);
  std::vector<Near> result;
  std::vector<const std::set<std::size_t>*> chosen;
  for (const auto& [score, example] : ranked) {
    if (result.size() == count) break;
    const auto repeats = [&, i = example](const std::set<std::size_t>* other) { return jaccard(shingles_[i], *other) >= kNearDuplicate; };
    if (std::ranges::any_of(chosen, repeats)) continue;
    chosen.push_back(&shingles_[example]);
    result.push_back({&examples_[example], -score});
  }
  return result;
}

}  // namespace assay::generate

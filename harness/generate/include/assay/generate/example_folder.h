// SPDX-License-Identifier: Apache-2.0
// A folder of examples, of which a prompt gets those that are nearest to its task: ranked by BM25 (Robertson and Zaragoza, The
// Probabilistic Relevance Framework: BM25 and Beyond, 2009), k1 = 1.2 and b = 0.75. The task itself and its variants are left out, and what
// nearly repeats a better example (Jaccard similarity of shingles, as in Broder, On the Resemblance and Containment of Documents, 1997).
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::generate {

inline constexpr std::size_t kMostExampleBytes = 64 << 10;  ///< a longer file is no example
inline constexpr std::size_t kMostExamples = 20000;         ///< files of a folder
inline constexpr std::size_t kShingle = 5;                  ///< words in a row
inline constexpr double kNearDuplicate = 0.7;               ///< this share of both examples' shingles in common, or more

/// Whether `text` holds a function, or a call of one, of that name.
bool mentions(std::string_view text, const std::string& function);

/// Whether all words of one name stand in a row in the other: relu and relu_bfloat16.
bool is_variant(std::string_view name, std::string_view other);

class ExampleFolder {
 public:
  /// Reads the folder's files <name>.md and <name><suffix>, in folders too. Links are not followed. Throws std::runtime_error.
  ExampleFolder(const std::filesystem::path& folder, const std::string& suffix);

  struct Example {
    std::string path;  ///< in the folder
    std::string text;
  };

  struct Near {
    const Example* example;
    double score;
  };

  /// At most `count`, the nearest first. Left out is what has the name of `task`, of one of its `family` or of a variant of `task` as the
  /// name of its file or of a folder around it, and what holds a function of the task's name.
  std::vector<Near> nearest(std::string_view query, const std::string& task, const std::vector<std::string>& family,
                            std::size_t count) const;

 private:
  struct Posting {
    std::size_t example;
    int times;
  };
  bool is_left_out(const Example& example, const std::string& task, const std::vector<std::string>& family) const;

  std::vector<Example> examples_;                                   ///< by path
  std::vector<std::size_t> words_;                                  ///< of each: how many
  std::vector<std::set<std::size_t>> shingles_;                     ///< of each: hashes
  std::unordered_map<std::string, std::vector<Posting>> postings_;  ///< by word
};

}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
// What is asked: the source text of a candidate, and how far it is to be judged. A line of JSON lines, or the body of a request.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/record/test_name.h"
#include "assay/spec/source_text.h"

namespace assay::score {

struct Sample {
  std::string id;                          ///< the asker's own, [A-Za-z0-9._:-], at most 128 characters; empty: it gave none
  std::string task, backend;               ///< names, by their rules; whether the build knows them is not looked up yet
  spec::SourceText source;                 ///< UTF-8
  std::string reward;                      ///< name of a reward; empty: the asked one's choice
  std::optional<record::Stage> last;       ///< the last stage that is asked for; none: the last that the reward reads
  std::optional<double> deadline_seconds;  ///< that judging may take, waiting aside
  bool reuse = true;                       ///< the verdict on an equal source will do
};

/// What is asked cannot be judged. One line that says who, what, got, do.
class SampleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Of the source, as it is, names of files among it; the compile stage refuses more.
inline constexpr std::size_t kMostSourceBytes = std::size_t{1} << 20;
/// Of the JSON: each byte of a source may be spelt as \u00XX.
inline constexpr std::size_t kMostSampleBytes = 6 * kMostSourceBytes + (std::size_t{1} << 16);
inline constexpr std::size_t kMostFiles = 100;  ///< of a candidate
inline constexpr double kLongestDeadline = 3600;

/// Reads {"id", "task", "backend", "source", "stages", "deadline_s", "reward", "reuse"}, of which task and source are needed; source
/// is a text, or an object of texts by the names of their files. Nothing nested deeper is read. Throws SampleError.
Sample parse_sample(std::string_view json);

/// Throws SampleError where the id is none.
void require_id(std::string_view id);

}  // namespace assay::score

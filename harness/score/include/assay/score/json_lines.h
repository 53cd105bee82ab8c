// SPDX-License-Identifier: Apache-2.0
// JSON lines in and out: a line for each sample, answered as they end.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "assay/score/scorer.h"

namespace assay::score {

/// Bytes in any pieces to lines. A line that is too long is named and dropped, without keeping it.
class LineReader {
 public:
  /// Gets each line that is not blank, without its end, and its number from 1; an empty one with `too_long` for what was dropped.
  using OnLine = std::function<void(std::string_view line, std::size_t number, bool too_long)>;

  explicit LineReader(std::size_t most_bytes) : most_(most_bytes) {}
  void take(std::string_view bytes, const OnLine& on_line);
  /// The last line may lack its end.
  void finish(const OnLine& on_line);

 private:
  void end_line(const OnLine& on_line);

  std::size_t most_;
  std::string line_;
  std::size_t number_ = 1;
  bool too_long_ = false;
};

/// The sample of a line, with the line's number for an id where it has none. Throws SampleError.
Sample sample_of_line(std::string_view line, std::size_t number, bool too_long);

/// What became of a stream of samples.
struct StreamEnd {
  std::size_t judged = 0, masked = 0, refused = 0;
  bool cut_off = false;  ///< answers could not be written any more
};

/// Judges what comes from the descriptor `in`, and writes an answer or an error for each to `out`. No more is read than is needed to keep
/// the scorer busy. Ends early where `stop` says so.
StreamEnd score_stream(Scorer& scorer, int in, int out, std::size_t most_under_way, const std::function<bool()>& stop);

}  // namespace assay::score

// SPDX-License-Identifier: Apache-2.0
// Samples that `assay score` and `assay serve` are sent: the lines of JSON lines and of /score/batch, each of which may be a body of
// /score. Whatever they are, and in whatever pieces they come, an error of one line or a sample that is written and read again unchanged.
// The first byte is the size of the pieces, the second the length that a line may have.
#include "assay/score/sample.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "assay/record/printable.h"
#include "assay/score/answer.h"
#include "assay/score/json_lines.h"
#include "property.h"

namespace assay::sample_target {
namespace {

using score::Sample, score::SampleError;

struct Line {
  std::string text;
  std::size_t number = 0;
  bool too_long = false;
  bool operator==(const Line&) const = default;
};

std::vector<Line> lines_of(std::string_view body, std::size_t piece, std::size_t most) {
  std::vector<Line> lines;
  const auto keep = [&](std::string_view line, std::size_t number, bool too_long) {
    lines.push_back({std::string(line), number, too_long});
  };
  score::LineReader reader(most);
  for (std::size_t at = 0; at < body.size(); at += piece) reader.take(body.substr(at, piece), keep);
  reader.finish(keep);
  return lines;
}

std::string written(const Sample& sample) {
  nlohmann::json json = {{"task", sample.task}, {"backend", sample.backend}, {"reuse", sample.reuse}};
  if (sample.source.files().contains("")) json["source"] = sample.source.text();
  else json["source"] = sample.source.files();
  if (!sample.id.empty()) json["id"] = sample.id;
  if (!sample.reward.empty()) json["reward"] = sample.reward;
  if (sample.last) json["stages"] = {std::string(record::name(*sample.last))};
  if (sample.deadline_seconds) json["deadline_s"] = *sample.deadline_seconds;
  return json.dump();  // which throws where a text is not UTF-8
}

auto members(const Sample& of) {
  return std::tie(of.id, of.task, of.backend, of.source.files(), of.reward, of.last, of.deadline_seconds, of.reuse);
}

void check_sample(const Sample& sample) {
  if (!sample.id.empty()) score::require_id(sample.id);
  for (const std::string& name : {sample.task, sample.backend})
    require(!name.empty() && name.find_first_of("/.\\ \n") == name.npos && record::printable(name) == name, "a name is no path", name);
  require(sample.source.bytes() <= score::kMostSourceBytes, "a source has a limit");
  for (const auto& [name, text] : sample.source.files())
    require(name.find('/') == name.npos && !name.starts_with('.') && record::printable(name) == name, "a file is in its folder", name);
  if (sample.deadline_seconds)
    require(*sample.deadline_seconds > 0 && *sample.deadline_seconds <= score::kLongestDeadline, "a deadline comes");
  try {
    require(members(score::parse_sample(written(sample))) == members(sample), "a sample comes back as it was", written(sample));
  } catch (const SampleError& error) {
    require(false, "what was written is read", error.what());
  }
}

void check_line(const Line& line) {
  require(!line.too_long || line.text.empty(), "a line that is too long is not kept");
  const std::string named = "line " + std::to_string(line.number) + ": sample: ";
  std::string why;
  Sample sample;
  if (accepts<SampleError>(named, [&] {
        try {
          sample = score::sample_of_line(line.text, line.number, line.too_long);
        } catch (const SampleError& error) {
          why = error.what();
          throw;
        }
      })) {
    require(!sample.id.empty(), "the sample of a line has an id");
    return check_sample(sample);
  }
  const std::string told = score::error_line("id", why);
  require(std::ranges::all_of(told, [](char c) { return c >= ' ' && c <= '~'; }), "an error is a line of ASCII", told);
  require(nlohmann::json::accept(told), "an error is JSON", told);
}

void check(std::string_view body, std::size_t piece, std::size_t most) {
  const std::vector<Line> lines = lines_of(body, body.size() + 1, most);
  require(lines == lines_of(body, piece, most), "pieces make no difference");
  for (const Line& line : lines) check_line(line);
  accepts<SampleError>("sample: ", [&] { check_sample(score::parse_sample(body)); });
}

}  // namespace

FUZZ_TARGET(sample) {
  if (size < 2) return 0;
  check(assay::text_of(data + 2, size - 2), data[0] % 64 + 1, data[1] * 16 + 1);
  return 0;
}

}  // namespace assay::sample_target

// SPDX-License-Identifier: Apache-2.0
#include "report_properties.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/report/error.h"
#include "assay/report/escape.h"
#include "assay/report/formats.h"
#include "markup.h"
#include "property.h"

namespace assay::report {
namespace {

using record::printable;

std::string written(const Summary& summary, void (*write)(const Summary&, std::ostream&)) {
  std::ostringstream out;
  write(summary, out);
  return out.str();
}

void check_text(const Summary& summary, By by) {
  std::ostringstream out;
  write_text(summary, {false, by}, out);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) require(printable(line) == line, "a terminal shows nothing but printable text", line);
}

void check_json(const Summary& summary) {
  const std::string text = written(summary, write_json);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  require(json.is_object(), "the JSON report is JSON", text);
}

/// RFC 4180: as many fields in each line, quotes closed, and no field that a spreadsheet computes.
void check_csv(const Summary& summary) {
  const std::string text = written(summary, write_csv);
  const CsvTable table = read_csv(text);
  require(table.whole, "CSV closes its quotes and ends in a line's end", text);
  std::size_t samples = 0;
  for (const Problem& problem : summary.results.problems) samples += problem.samples.size();
  require(table.lines.size() == samples + 1, "CSV has a header and a line for each sample", text);
  for (const auto& line : table.lines) {
    require(line.size() == table.lines.front().size(), "each line of the CSV has as many fields", text);
    for (const std::string& field : line)
      require(field.empty() || std::string_view("=+-@").find(field.front()) == std::string_view::npos, "no field of the CSV is a formula",
              field);
  }
}

void check_html(const Summary& summary) {
  const std::string text = written(summary, write_html);
  const std::string fault = markup_fault(text);
  require(fault.empty(), "the page is well-formed HTML", fault);
}

}  // namespace

void check_report(const JUnit& junit) {
  Results results;
  if (!accepts<InputError>(printable(junit.file), [&] { results = collect({junit}); })) return;
  MetricSettings settings;
  settings.k = {1, largest_common_k(results) + 1};
  const auto summary = summarize(std::move(results), settings);
  check_text(*summary, all_groupings[junit.tests.front().name.size() % std::size(all_groupings)]);
  check_json(*summary);
  check_csv(*summary);
  check_html(*summary);
}

}  // namespace assay::report

// SPDX-License-Identifier: Apache-2.0
// Speedups of correct samples as inline SVG: one band per task, one lane per run, logarithmic axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/report/escape.h"
#include "html_parts.h"

namespace assay::report {

using record::Speedup;

namespace {

constexpr double left = 210, right = 1110, lane = 11, band_padding = 5, top = 26;

struct Point {
  std::string name;
  Speedup speedup;
};

using Lanes = std::map<std::string, std::vector<Point>>;  // by run, slowest first

struct Plot {
  std::vector<std::string> runs;
  std::map<std::string, Lanes> tasks;
  double low = 1, high = 1;

  double x(double speedup) const { return left + (right - left) * (std::log(speedup) - std::log(low)) / (std::log(high) - std::log(low)); }
  double band() const { return 2 * band_padding + lane * static_cast<double>(runs.size()); }
};

Plot gather(const Summary& summary) {
  Plot plot;
  plot.runs = shown_runs(summary);
  for (const Problem& problem : summary.results.problems)
    for (const Sample& sample : problem.samples) {
      const Outcome outcome = sample.outcome();
      if (!outcome.speedup) continue;
      plot.tasks[problem.text()][problem.run].push_back({sample.name.text(), *outcome.speedup});
      plot.low = std::min(plot.low, std::max(outcome.speedup->low, outcome.speedup->estimate / 10));
      plot.high = std::max(plot.high, std::min(outcome.speedup->high, outcome.speedup->estimate * 10));
    }
  plot.low /= 1.15;
  plot.high *= 1.15;
  for (auto& [task, lanes] : plot.tasks)
    for (auto& [run, points] : lanes)
      std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.speedup.estimate < b.speedup.estimate; });
  return plot;
}

std::string series_class(const Plot& plot, const std::string& run) {
  if (run == reference_run) return "kr";
  const auto index = std::find(plot.runs.begin(), plot.runs.end(), run) - plot.runs.begin();
  return fmt::format("k{}", index % 8);
}

void write_axis(const Plot& plot, double bottom, std::ostream& out) {
  // 1-2-5 while they are far enough apart, else powers of ten alone.
  const bool dense = plot.high / plot.low > 500;
  for (int power = static_cast<int>(std::floor(std::log10(plot.low))); power <= std::log10(plot.high); ++power)
    for (double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, power);
      if (value < plot.low || value > plot.high || (dense && digit != 1.0)) continue;
      out << fmt::format(
          "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{:.1f}\"/>"
          "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}x</text>\n",
          value == 1.0 ? "one" : "grid", plot.x(value), plot.x(value), top - 4, bottom, plot.x(value), top - 11, value);
    }
}

void write_point(const Plot& plot, const Point& point, bool best, double y, std::ostream& out) {
  const double x = plot.x(std::clamp(point.speedup.estimate, plot.low, plot.high));
  const std::string title = fmt::format("<title>{}: {:.3g}x, 95 % [{:.3g}, {:.3g}]</title>", html(point.name), point.speedup.estimate,
                                        point.speedup.low, point.speedup.high);
  if (!best) {
    out << fmt::format("<circle class=\"other\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\">{}</circle>\n", x, y, title);
    return;
  }
  const double from = plot.x(std::clamp(point.speedup.low, plot.low, plot.high));
  const double to = plot.x(std::clamp(point.speedup.high, plot.low, plot.high));
  out << fmt::format(
      "<g class=\"mark\"><line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"2\"/>"
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>{}</g>\n",
      from, to, y, y, x, y, title);
}

void write_lanes(const Plot& plot, const Lanes& lanes, double y, std::ostream& out) {
  for (std::size_t i = 0; i < plot.runs.size(); ++i) {
    const auto it = lanes.find(plot.runs[i]);
    if (it == lanes.end()) continue;
    const double middle = y + band_padding + lane * (static_cast<double>(i) + 0.5);
    out << "<g class=\"" << series_class(plot, plot.runs[i]) << "\">\n";
    for (const Point& point : it->second) write_point(plot, point, &point == &it->second.back(), middle, out);
    out << "</g>\n";
  }
}

}  // namespace

void write_html_speedups(const Summary& summary, std::ostream& out) {
  const Plot plot = gather(summary);
  if (plot.tasks.empty()) return;
  const double bottom = top + plot.band() * static_cast<double>(plot.tasks.size());
  out << "<section><h2>Speedups</h2><p class=\"note\">Correct samples against the baseline. Large: the best "
         "of each run, with "
         "its 95 % interval; small: its other samples.</p>\n"
      << fmt::format(
             "<svg viewBox=\"0 0 1130 {:.0f}\" role=\"img\" aria-label=\"Speedup of correct samples by "
             "task\">\n",
             bottom + 6);
  for (std::size_t row = 0; row < plot.tasks.size(); row += 2)
    out << fmt::format("<rect class=\"band\" x=\"0\" y=\"{:.1f}\" width=\"1130\" height=\"{:.1f}\"/>\n",
                       top + plot.band() * static_cast<double>(row), plot.band());
  write_axis(plot, bottom, out);
  std::size_t row = 0;
  for (const auto& [task, lanes] : plot.tasks) {
    const double y = top + plot.band() * static_cast<double>(row++);
    out << fmt::format("<text class=\"task\" x=\"10\" y=\"{:.1f}\">{}</text>\n", y + plot.band() / 2 + 4.5, html(shorten(task, 28)));
    write_lanes(plot, lanes, y, out);
  }
  out << "</svg>\n<ul class=\"legend\">\n";
  for (const std::string& run : plot.runs)
    out << "<li class=\"" << series_class(plot, run) << "\"><i class=\"dot\"></i>" << html(run) << "</li>\n";
  out << "</ul></section>\n";
}

}  // namespace assay::report

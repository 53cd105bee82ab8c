// SPDX-License-Identifier: Apache-2.0
// `assay report`: options to report::ReportOptions; the work is in harness/report.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "assay/report/report.h"
#include "build_tree.h"
#include "commands.h"

namespace assay::command {

namespace {

constexpr const char* footer = R"(Metrics: compile@k, pass@k, speedup_<alpha>@k, fast_<p>, best_speedup@k,
fallback_speedup@k, geomean_speedup, efficiency. The HTML page explains each.

Exit codes:
  0  fine
  1  a --fail-under threshold is missed
  2  bad input or usage
  3  a HARNESS_ERROR is present, or the machine's noise left a --fail-under metric without timings: something could not be judged
     (wins over 1)

Examples:
  assay report
  assay report build/junit.xml --html report.html
  assay report shard*.xml --k 1,5 --fail-under pass@1=0.8 --fail-under reference:pass@1=1
  assay report junit.xml --compare model-a,model-b)";

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && (!no_colour || !*no_colour);
}

}  // namespace

/// Adds the subcommand `report`. When it is chosen, `exit_code` becomes a report::ReportExit.
static void add_report_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<report::ReportOptions>();
  CLI::App* report = app.add_subcommand("report", "Turn kept results, or the JUnit of ctest, into metrics: text, JSON, CSV, HTML");
  report->footer(footer);
  auto build = std::make_shared<std::string>("build/evaluate");
  auto gone = std::make_shared<bool>(false);
  report
      ->add_option("junit", options->inputs,
                   "Files of ctest --output-junit; several are shards of one evaluation. Without one, or with a build folder: the newest "
                   "result of each test there")
      ->type_name("FILE");
  report->add_option("--build", *build, "Build folder whose results are meant without a FILE")->capture_default_str();
  report->add_flag("--gone", *gone, "Count kept results whose candidate is gone, too");
  report->add_flag("--vacuous", options->vacuous, "Count problems, too, whose test passes a solution that does nothing");
  report->add_flag("--brief", options->brief, "One screen: who is ahead, and what became of the samples");
  report->add_option("--k", options->k, "Values of k; default: 1 and the largest that all tasks allow")
      ->delimiter(',')
      ->allow_extra_args(false);
  report->add_option("--alpha", options->alpha, "Threshold of speedup_alpha@k")->capture_default_str();
  report->add_option("--run", options->runs, "Only this run (repeatable)")->allow_extra_args(false);
  report->add_option("--by", options->by, "Grouping of the terminal's tables: run, category, difficulty, suite, backend")
      ->capture_default_str();
  report->add_option("--fail-under", options->fail_under, "metric=value for every run but reference, or run:metric=value (repeatable)")
      ->allow_extra_args(false);
  report->add_option("--compare", options->compare, "first,second: paired differences of two runs (repeatable)")->allow_extra_args(false);
  report->add_option("--require-tier", options->require_tier,
                     "Exit with 1 where a sample was judged in a weaker sandbox: full, reduced or none");
  report->add_option("--json", options->json, "Also write JSON")->type_name("FILE");
  report->add_option("--csv", options->csv, "Also write CSV, one line per sample")->type_name("FILE");
  report->add_option("--html", options->html, "Also write one self-contained page")->type_name("FILE");
  report->callback([options, build, gone, &exit_code] {
    options->colour = wants_colour();
    const bool is_folder = options->inputs.size() == 1 && std::filesystem::is_directory(options->inputs.front());
    if (is_folder) *build = options->inputs.front().string();
    if (is_folder || options->inputs.empty()) options->kept = BuildTree(*build).evaluation(*gone);
    exit_code = report::run_report(*options, std::cout, std::cerr);
  });
}
static const bool report_defined = define_command("report", add_report_command);

}  // namespace assay::command

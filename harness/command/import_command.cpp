// SPDX-License-Identifier: Apache-2.0
// `assay import compute-eval`: problems become tasks, solutions candidates.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "assay/problem/pack.h"
#include "assay/problem/problem_folder.h"
#include "assay/record/printable.h"
#include "assay/spec/whole_file.h"
#include "commands.h"

namespace assay::command {
namespace {

namespace fs = std::filesystem;
using problem::Pack, problem::ProblemError;

struct ImportOptions {
  std::string format, from, out, release;
};

/// One import a folder: what is there might be anybody's.
void require_free(const fs::path& path) {
  if (fs::exists(path)) throw ProblemError(fmt::format("{}: is there already. do: name another folder, or remove it", path.string()));
}

/// Writes to `half`, which becomes `out`.
void import_problems(const Pack& pack, const fs::path& half, const fs::path& out) {
  const std::vector<std::string> names = problem::task_names(pack);
  std::map<std::string, int> groups;
  nlohmann::ordered_json order = nlohmann::ordered_json::array();
  int without_reference = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto record = problem::complete_record(pack.records[i]);
    const problem::Problem read = problem::read_record(record, pack.file);
    problem::write_folder(record, half / problem::category_of(read.group) / names[i]);
    ++groups[read.group];
    without_reference += read.solution.empty();
    order.push_back(read.id);
  }
  const nlohmann::ordered_json kept = {{"metadata", pack.metadata}, {"order", order}};
  spec::write_whole_file("import", half / "pack.json", kept.dump(2) + "\n");
  fmt::print("{}: {} problems, {} hashes right\n", record::printable(pack.file), names.size(), pack.hashes);
  for (const auto& [group, count] : groups) fmt::print("  {:<16}{}\n", group.empty() ? "(no group)" : record::printable(group), count);
  if (without_reference > 0) fmt::print("  {} have no reference solution: they cannot be judged\n", without_reference);
  fmt::print("kernel_tasks({}) declares them\n", record::printable(out.string()));
}

void import_solutions(const Pack& pack, const fs::path& out) {
  const std::vector<std::string> names = problem::task_names(pack);
  std::map<std::string, int> samples;
  constexpr int kMost = 1000;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int number = samples[names[i]]++;
    if (number >= kMost) throw ProblemError(fmt::format("{}: {} has more than {} solutions", pack.file, names[i], kMost));
    const fs::path folder = out / names[i] / fmt::format("{:03}", number);
    for (const problem::TextFile& file : problem::solution_files(pack.records[i], fmt::format("{}: record {}", pack.file, i + 1))) {
      fs::create_directories((folder / file.path).parent_path());
      spec::write_whole_file("import", folder / file.path, file.text);
    }
  }
  fmt::print("{}: {} solutions of {} problems\n", record::printable(pack.file), names.size(), samples.size());
}

void import(const ImportOptions& options) {
  const Pack pack = problem::read_pack(options.from, options.release);
  const fs::path out = fs::absolute(options.out).lexically_normal();
  require_free(out);
  const fs::path half = out.string() + ".half";
  require_free(half);
  fs::create_directories(half);
  try {
    if (pack.solutions) import_solutions(pack, half);
    else import_problems(pack, half, out);
    fs::rename(half, out);
  } catch (...) {
    std::error_code error;
    fs::remove_all(half, error);
    throw;
  }
}

}  // namespace

static void add_import_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("import", "take problems, or solutions, from another system's files");
  auto options = std::make_shared<ImportOptions>();
  command->add_option("format", options->format, "compute-eval: a pack (.tar.gz), its lines (.jsonl) or a folder of problems")
      ->required()
      ->check(CLI::IsMember({"compute-eval"}));
  command->add_option("from", options->from, "pack, lines or folder")->required();
  command->add_option("--out", options->out, "folder to make: of tasks, or of a run's candidates where the pack holds solutions")
      ->required();
  command->add_option("--release", options->release, "of a folder with several: 2026-1");
  command->callback([options] { import(*options); });
}
static const bool import_defined = define_command("import", add_import_command);

}  // namespace assay::command

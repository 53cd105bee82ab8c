// SPDX-License-Identifier: Apache-2.0
#include "workshop.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "assay/compile/compile_record.h"
#include "assay/plan/confinement.h"
#include "assay/record/printable.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using compile::StoredCompilation;
using plan::Plan, plan::Toolchain;
using problem::TextFile;
using record::set_verdict, record::Verdict;
using Words = std::vector<std::string>;

constexpr std::uint64_t kCompileSeconds = 120;  // of processor time, of one compiler's run
constexpr int kWallSeconds = 240;

std::vector<fs::path> program_folders(const Toolchain& toolchain) {
  std::vector<fs::path> folders = {"/usr/bin", "/bin"};
  std::error_code error;
  for (const fs::path& path : toolchain.readable)
    for (const char* compiler : {"nvcc", "g++", "tileiras"})
      if (fs::exists(path / "bin" / compiler, error)) {
        folders.insert(folders.begin(), path / "bin");
        break;
      }
  const fs::path own = fs::path(toolchain.compile.front()).parent_path();
  if (own.is_absolute() && std::ranges::find(folders, own) == folders.end()) folders.insert(folders.begin(), own);
  return folders;
}

fs::path find_program(const Toolchain& toolchain, const std::string& name) {
  std::error_code error;
  if (fs::path(name).is_absolute()) return name;
  for (const fs::path& folder : program_folders(toolchain))
    if (fs::exists(folder / name, error)) return folder / name;
  throw NotSeparable(fmt::format("its compiler {} is not on this machine", name));
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A file of one name a line, and of one that nobody has: objcopy takes an empty one for none.
fs::path list(const fs::path& file, const auto& lines) {
  std::ofstream out(file);
  out << ".assay.none\n";
  for (const std::string& line : lines) out << line << '\n';
  return file;
}

}  // namespace

std::string program_path(const Toolchain& toolchain) {
  std::string path;
  for (const fs::path& folder : program_folders(toolchain)) path += (path.empty() ? "" : ":") + folder.string();
  return path;
}

Workshop::Workshop(const Plan& plan, const fs::path& folder) : plan_(plan), folder_(folder) { fs::create_directories(work()); }

void Workshop::place(const std::vector<TextFile>& files) const {
  for (const TextFile& file : files) {
    const fs::path path = work() / file.path;
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    if (!out.flush()) throw std::runtime_error(fmt::format("compile: {} cannot be written. do: check the disk's space", path.string()));
  }
}

bool Workshop::run(Words argv, const fs::path& more) {
  sandbox::ConfinedCommand command;
  argv.front() = find_program(plan_.toolchain, argv.front()).string();
  command.argv = std::move(argv);
  command.environment = {"PATH=" + program_path(plan_.toolchain), "LC_ALL=C", "TMPDIR=" + folder_.string(), "HOME=" + folder_.string()};
  command.directory = work();
  command.readable = plan_.toolchain.readable;
  if (!more.empty()) command.readable.push_back(more);
  command.writable = {folder_};
  command.may_start_processes = true;
  command.layers = plan::confinement(plan_.settings);
  command.limits.cpu_seconds = kCompileSeconds;
  command.limits.address_space = std::uint64_t{16} << 30;
  command.limits.file_size = std::uint64_t{512} << 20;
  command.limits.open_files = 256;
  const sandbox::Log log;
  command.output = log.fd();
  const sandbox::Finished finished = sandbox::run(command, std::chrono::seconds(kWallSeconds));
  said_ = compile::read_diagnostics(log.fd(), compile::kDiagnosticsKept);
  tier_ = sandbox::tier_of(command.layers);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; };
  cpu_seconds_ += seconds(finished.usage.ru_utime) + seconds(finished.usage.ru_stime);
  timed_out_ = finished.timed_out || cpu_seconds_ >= static_cast<double>(kCompileSeconds);
  return finished.status == 0 && !finished.timed_out;
}

bool Workshop::compile(const BuildCommand& command, const Words& sources, const std::string& name) {
  Words join = {"ld", "-r", "--force-group-allocation", "-o", object(name).string()};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Words argv = {command.compiler};
    argv.insert(argv.end(), command.compile_flags.begin(), command.compile_flags.end());
    const std::string part = object(fmt::format("{}.{}", name, i)).string();
    argv.insert(argv.end(), {"-c", sources[i], "-o", part});
    if (command.is_nvcc()) {
      fs::create_directory(steps_of(sources[i]));
      argv.insert(argv.end(), {"--keep", "--keep-dir", steps_of(sources[i]).string()});
    }
    if (!run(std::move(argv))) return false;
    join.push_back(part);
  }
  return run(std::move(join));
}

std::string Workshop::preprocessed(const BuildCommand& command, const std::string& source, const Words& more) {
  const fs::path step = steps_of(source) / fs::path(source).stem().concat(".cpp1.ii");
  if (std::string text = text_of(step); more.empty() && !text.empty()) return text;
  const fs::path out = folder_ / "preprocessed";
  Words argv = {command.compiler};
  argv.insert(argv.end(), command.compile_flags.begin(), command.compile_flags.end());
  argv.insert(argv.end(), more.begin(), more.end());
  argv.insert(argv.end(), {"-E", source, "-o", out.string()});
  return run(std::move(argv)) ? text_of(out) : "";
}

bool Workshop::keep_global(const std::string& name, const std::set<std::string>& names, const Words& weak) {
  return run({"objcopy", "--keep-global-symbols=" + list(folder_ / (name + ".names"), names).string(),
              "--weaken-symbols=" + list(folder_ / (name + ".weak"), weak).string(), object(name).string()});
}

std::string Workshop::last_error() const {
  if (said_.find("error") != said_.npos) return record::cut_to(compile::first_error(said_), 400);
  const std::size_t end = said_.find_last_not_of(" \r\n");
  if (end == said_.npos) return "without a word";
  const std::size_t begin = said_.rfind('\n', end);
  return record::cut_to(said_.substr(begin + 1, end - begin), 400);
}

void Workshop::note(StoredCompilation& made) const {
  made.diagnostics = said_;
  made.record.tier = tier_;
  made.record.compile_ms = cpu_seconds_ * 1000;
}

fs::path Workshop::fail(StoredCompilation& made, Verdict verdict, const std::string& detail) const {
  note(made);
  if (timed_out_) set_verdict(made.record, Verdict::compile_timeout, fmt::format("a compiler took longer than {} s", kCompileSeconds));
  else set_verdict(made.record, verdict, detail);
  return {};
}

fs::path Workshop::steps_of(const std::string& source) const {
  std::string name = source;
  std::ranges::replace(name, '/', '!');
  return folder_ / (name + ".steps");
}

}  // namespace assay::program

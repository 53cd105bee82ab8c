// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/compilation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "allotment.h"
#include "assay/compile/scratch.h"
#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"

namespace assay::compile {
namespace {

using plan::Candidate;

namespace fs = std::filesystem;

/// The record first: without it nothing else counts.
void remove_all_of(const Candidate& candidate) {
  for (const fs::path& file : {candidate.compile_record(), candidate.library(), candidate.compile_failure()}) remove_tree(file);
  remove_tree(candidate.cache());
}

std::string fingerprint_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return spec::digest(std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

/// Whether `path` is still the file that was opened there.
bool is_same_file(const fs::path& path, int opened) {
  struct stat now {
  }, then{};
  return stat(path.c_str(), &now) == 0 && fstat(opened, &then) == 0 && now.st_dev == then.st_dev && now.st_ino == then.st_ino;
}

}  // namespace

Turn::Turn(const Candidate& candidate) : folder_(open(candidate.prefix.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_) flock(folder_.get(), LOCK_EX);
}

void keep_compilation(const Candidate& candidate, StoredCompilation compilation, const fs::path& library) {
  compilation.library = library.empty() ? "" : fingerprint_of(library);
  const Turn turn(candidate);
  remove_all_of(candidate);
  if (!library.empty()) fs::rename(library, candidate.library());
  spec::write_whole_file("compile", candidate.compile_record(), to_text(compilation));
}

void forget_compilation(const Candidate& candidate) {
  const Turn turn(candidate);
  remove_all_of(candidate);
}

StoredCompilation load_compilation(const Candidate& candidate) {
  const std::string file = candidate.compile_record().string();
  std::ifstream in(file);
  if (!in) {
    std::ifstream reason(candidate.compile_failure());
    std::string why{std::istreambuf_iterator<char>(reason), {}};
    throw std::runtime_error(why.empty() ? fmt::format("compile: {} is not there. do: build first", file) : why);
  }
  StoredCompilation stored = parse_compilation(std::string{std::istreambuf_iterator<char>(in), {}}, file);
  take_allotted_device(stored.record);
  return stored;
}

std::string compiled_source(const Candidate& candidate) try {
  return load_compilation(candidate).source;
} catch (const std::runtime_error&) {
  return "";
}

PassedLibrary::PassedLibrary(const Candidate& candidate) : file_(candidate.library()) {
  const StoredCompilation compilation = load_compilation(candidate);
  fingerprint_ = compilation.library;
  if (compilation.record.device)
    device_code_ = {compilation.launch, *compilation.record.device, {compilation.libraries.begin(), compilation.libraries.end()}};
  if (compilation.record.verdict != record::Verdict::pass || fingerprint_.empty())
    throw std::runtime_error(
        fmt::format("{} did not pass the compile stage: there is nothing to run", candidate.compile_record().string()));
  opened_ = spec::Descriptor(open(file_.c_str(), O_PATH | O_CLOEXEC));
  if (!is_same_file(file_, opened_.get()) || fingerprint_of(file_) != fingerprint_)
    throw std::runtime_error(fmt::format("{} is not the library that was compiled. do: remove {} and build again", file_.string(),
                                         candidate.compile_record().string()));
}

void PassedLibrary::require_unchanged() const {
  if (is_same_file(file_, opened_.get()) && fingerprint_of(file_) == fingerprint_) return;
  throw std::runtime_error(fmt::format("{} was compiled again while it ran. do: run ctest again", file_.string()));
}

}  // namespace assay::compile

// SPDX-License-Identifier: Apache-2.0
// From what a model answered to the files of a candidate. The answer is hostile: it is parsed, never run, and names no file outside of
// the candidate's own folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/spec/source_text.h"

namespace assay::generate {

inline constexpr std::size_t kMostAnswerBytes = 4 << 20;  ///< of a model's text
inline constexpr std::size_t kMostSourceBytes = 1 << 20;  ///< of all files of a candidate, as the compile stage has it

/// What is looked for in an answer.
struct AnswerForm {
  std::string suffix;    ///< of the backend: ".cpp"
  std::string function;  ///< that the candidate defines; empty: device code, which has a launch block
  /// Of a problem that brings its own tests: paths of the solution's files. A candidate of it defines functions, whatever their names.
  std::vector<std::string> files = {};
  std::vector<std::string> given = {};  ///< paths of files that such a problem shows, and that are there without the answer

  bool is_solution() const { return !files.empty(); }
};

struct TakenFile {
  std::string name;  ///< as the model called it, without folders; empty for the one file of a candidate
  std::string text;
  std::string why;
};

struct Answer {
  std::vector<TakenFile> files;    ///< one without a name, or several with names
  std::vector<std::string> notes;  ///< what was left out or changed, and why
  std::string fault;               ///< why there is no candidate in it; empty where there is one
};

Answer read_answer(std::string_view text, const AnswerForm& form);

/// The candidate's files; none where there is a fault.
spec::SourceText source_of(const Answer& answer);

/// Writes the files to <folder>/<NNN><suffix>, or into the folder <folder>/<NNN>; whole or not at all. What an earlier answer left there
/// is replaced. Throws std::runtime_error.
void write_candidate(const Answer& answer, const std::filesystem::path& folder, int sample, const AnswerForm& form);

}  // namespace assay::generate

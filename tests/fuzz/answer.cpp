// SPDX-License-Identifier: Apache-2.0
// What a model answered: whatever it is, files with harmless names, or why there are none. The first byte chooses the backend.
#include "assay/generate/answer.h"

#include "assay/record/printable.h"
#include "property.h"

namespace assay::answer_target {
namespace {

void check_name(const std::string& name) {
  require(name.find_first_of("/\\") == name.npos, "a file lies in no folder", name);
  require(!name.empty() && name.front() != '.' && name.front() != '-' && name != "kernel.h", "a file's name is harmless", name);
  require(record::printable(name) == name, "a file's name may be printed", name);
}

void check(std::string_view text, const generate::AnswerForm& form) {
  const generate::Answer answer = read_answer(text, form);
  require(answer.files.empty() != answer.fault.empty(), "there are files, or a reason why not", answer.fault);
  require(record::printable(answer.fault) == answer.fault, "a fault may be printed", answer.fault);
  for (const std::string& note : answer.notes) require(record::printable(note) == note, "a note may be printed", note);
  std::size_t bytes = 0;
  for (const generate::TakenFile& file : answer.files) {
    if (answer.files.size() > 1) check_name(file.name);
    else require(file.name.empty(), "the one file has no name", file.name);
    require(record::printable(file.why) == file.why, "a reason may be printed", file.why);
    bytes += file.text.size();
  }
  require(bytes <= generate::kMostSourceBytes, "a candidate has a limit");
}

}  // namespace

FUZZ_TARGET(answer) {
  if (size == 0) return 0;
  const bool device = data[0] % 2 == 1;
  check(assay::text_of(data + 1, size - 1), device ? assay::generate::AnswerForm{".cu", ""} : assay::generate::AnswerForm{".cpp", "relu"});
  return 0;
}

}  // namespace assay::answer_target

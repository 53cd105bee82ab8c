// SPDX-License-Identifier: Apache-2.0
// What the comment lines at the top of a cheat say: `// key: value`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Declaration {
  std::string cheat;  ///< the catalogue's row; empty for an honest kernel
  std::string task;
  std::string stage;                   ///< that decides: compile, test or bench; the stages before must pass
  std::vector<std::string> expect;     ///< verdicts, any of which is right
  std::vector<std::string> because;    ///< pieces of the record's detail, one of which must be there unless it passes
  std::vector<std::string> elsewhere;  ///< verdicts on a device that is no processor, in place of both; empty: the same there
  std::vector<std::string>
      reduced;  ///< verdicts in the sandbox's tier reduced, at any stage, in place of expect and because; empty: the same there
  bool gains_nothing = false;  ///< its time must not beat that of the same file without its trick
};

/// Keys: task, stage, expect (separated by |), because (may repeat), elsewhere and reduced (as expect), gains (nothing),
/// cheat (the catalogue's row). An honest kernel's defaults are stage test and expect PASS; a cheat says all
/// of task, stage, expect and cheat, and because where it expects WRONG_RESULT, as mistakes of any kind
/// do. Throws std::runtime_error on a missing, unknown or ill-formed key.
Declaration read_declaration(const std::filesystem::path& file, bool honest);

/// Whether `piece` is in `detail`; `<number>` stands for any finite number.
bool says(const std::string& detail, const std::string& piece);

}  // namespace assay

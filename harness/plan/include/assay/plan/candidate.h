// SPDX-License-Identifier: Apache-2.0
// Which candidate is meant, and where what is built of it lies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/record/record.h"

namespace assay::results {
class ResultFile;
}

namespace assay::plan {

struct Candidate {
  std::string run;
  int sample = 0;
  std::filesystem::path source;           ///< a file, or a folder of several; empty after compilation
  std::filesystem::path prefix;           ///< of what is built: <prefix>.so, <prefix>.compile.json
  results::ResultFile* result = nullptr;  ///< keeps what the stage finds; null: nothing does

  std::filesystem::path library() const { return prefix.string() + ".so"; }
  std::filesystem::path cache() const { return prefix.string() + ".cache"; }        ///< of the device's compiler
  std::filesystem::path output() const { return prefix.string() + ".output.txt"; }  ///< what it printed in stage test
  std::filesystem::path compile_record() const { return prefix.string() + ".compile.json"; }
  std::filesystem::path compile_failure() const { return prefix.string() + ".compile.failed"; }  ///< why there is no record
};

/// What was made of a candidate that is device code.
struct DeviceCode {
  std::string source;  ///< with its launch block
  record::Device device;
  std::vector<std::filesystem::path> libraries;  ///< of the device's driver
};

}  // namespace assay::plan

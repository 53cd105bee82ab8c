// SPDX-License-Identifier: Apache-2.0
// The symbols and sections of an object file (ELF, relocatable, of this machine), read in bounds: a candidate has a say in its bytes.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::program {

struct Symbol {
  std::string name;
  bool defined = false, weak = false, object = false;  ///< object: data, not code
};

struct ObjectFile {
  std::vector<Symbol> globals;      ///< also weak and unique ones
  std::vector<std::string> faults;  ///< what no compiler makes of a kernel: why the file may not be linked
};

class ObjectError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

ObjectFile parse_object(std::string_view bytes);
ObjectFile read_object(const std::filesystem::path& file);

}  // namespace assay::program

// SPDX-License-Identifier: Apache-2.0
// What the linker made of a candidate, and the names in it.
#include "assay/compile/link_policy.h"
#include "assay/sandbox/elf_file.h"
#include "property.h"

namespace assay::elf_target {

FUZZ_TARGET(elf) {
  const std::string_view text = text_of(data, size);
  require(compile::is_numerical(text) == compile::is_numerical(std::string(text)), "a name is numerical or it is not", std::string(text));
  const std::string name = compile::forbidden_reference(text);
  require(name.size() <= 100, "a quoted name is short", name);
  try {
    const sandbox::ElfFile file = sandbox::parse_elf(text);
    require(file.interpreter.size() <= size, "an interpreter lies in the file", file.interpreter);
    for (const auto* names : {&file.needed, &file.imports, &file.own})
      for (const std::string& each : *names) require(text.find(each) != text.npos, "a name lies in the file", each);
  } catch (const sandbox::ElfError&) {
  }
  return 0;
}

}  // namespace assay::elf_target

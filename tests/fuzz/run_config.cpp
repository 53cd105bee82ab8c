// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: an error with its place, or a configuration that is written and read again unchanged.
#include "assay/generate/config.h"
#include "property.h"

namespace assay::run_config_target {

FUZZ_TARGET(run_config) {
  const std::string text(text_of(data, size));
  generate::RunConfig config;
  if (!accepts<spec::SpecError>("run.yaml:", [&] { config = generate::parse_config(text, "run.yaml"); })) return 0;
  const std::string written = config_text(config);
  generate::RunConfig again;
  try {
    again = generate::parse_config(written, "again.yaml");
  } catch (const spec::SpecError& error) {
    require(false, "what was written is read", error.what());
  }
  require(config_text(again) == written, "a configuration is written as it was read", written);
  require(config_identity(again) == config_identity(config), "its identity stays", written);
  return 0;
}

}  // namespace assay::run_config_target

// SPDX-License-Identifier: Apache-2.0
// write_records FOLDER: a record of each stage and verdict, as a judge prints them, in files <stage>.<VERDICT>.txt.
#include <filesystem>
#include <fstream>
#include <string>

#include "assay/record/output.h"
#include "made_record.h"

int main(int, char** arguments) {
  using namespace assay::record;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  for (const Stage stage : all_stages)
    for (const VerdictInfo& verdict : all_verdicts) {
      if (verdict.verdict == Verdict::inconclusive && stage != Stage::bench) continue;
      Record record = full_record(stage);
      record.verdict = verdict.verdict;
      record.trust.clear();  // a test that shares the candidate's process has no cases, and no seed
      const std::string name = std::string(assay::record::name(stage)) + "." + std::string(verdict.name) + ".txt";
      std::ofstream(folder / name) << record_prefix << record_line(record) << '\n';
    }
}

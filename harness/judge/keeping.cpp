// SPDX-License-Identifier: Apache-2.0
#include "keeping.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "assay/record/printable.h"

namespace assay::judge {

using results::Basis, results::ResultFile;

void add_results_option(CLI::App& command, std::string& results) {
  command.add_option("--results", results, "folder that keeps the result of each test (default: none is kept)");
}

int keeping(const std::string& results, const std::string& test, Basis basis, const std::function<int(ResultFile*)>& work) {
  std::optional<ResultFile> file;
  std::string why_not;
  try {
    if (!results.empty()) file.emplace(results, test, std::move(basis));
  } catch (const std::runtime_error& error) {
    why_not = error.what();
  }
  const int code = work(file ? &*file : nullptr);
  if (!why_not.empty()) fmt::print("the result is not kept: {}\n", record::printable(why_not));  // the record comes first
  return code;
}

int keeping_fixture(const std::string& results, const std::string& test, Basis basis, const std::function<std::string()>& work) {
  return keeping(results, test, std::move(basis), [&](ResultFile* file) {
    try {
      const std::string words = work();
      if (file != nullptr) file->finish("", words, 0);
    } catch (const std::exception& error) {
      if (file != nullptr) file->finish("", record::printable_lines(error.what()), 2);
      throw;
    }
    return 0;
  });
}

}  // namespace assay::judge

// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/compile_record.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::compile {

std::string to_text(const StoredCompilation& stored) {
  const nlohmann::ordered_json json{{"record", record::to_json(stored.record)}, {"source", stored.source}, {"library", stored.library},
                                    {"diagnostics", stored.diagnostics},        {"launch", stored.launch}, {"libraries", stored.libraries}};
  return json.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

StoredCompilation parse_compilation(std::string_view text, const std::filesystem::path& file) {
  try {
    const auto json = nlohmann::json::parse(text);
    return {record::read_record(json.at("record")),    json.at("source").get<std::string>(),
            json.at("diagnostics").get<std::string>(), json.at("library").get<std::string>(),
            json.at("launch").get<std::string>(),      json.at("libraries").get<std::vector<std::string>>()};
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{} is no result of a compilation: {}. do: remove it and build again", file.string(), error.what()));
  }
}

std::string read_diagnostics(int fd, std::size_t most) {
  std::string text(most, '\0');
  const ssize_t got = pread(fd, text.data(), most, 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  struct stat status {};
  if (fstat(fd, &status) == 0 && static_cast<std::size_t>(status.st_size) > most)
    text += fmt::format("\n... {} bytes of diagnostics in all\n", status.st_size);
  return text;
}

std::string first_error(const std::string& diagnostics) {
  for (const char* mark : {"undefined reference", "multiple definition", "error:", "Error:", "fatal", "Cannot find symbol"}) {
    const std::size_t at = diagnostics.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t begin = diagnostics.rfind('\n', at) == std::string::npos ? 0 : diagnostics.rfind('\n', at) + 1;
    return diagnostics.substr(begin, diagnostics.find('\n', at) - begin).substr(0, 300);
  }
  return "the compiler failed";
}

}  // namespace assay::compile

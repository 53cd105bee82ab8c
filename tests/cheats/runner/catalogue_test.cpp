// SPDX-License-Identifier: Apache-2.0
// README.md names each cheat and each honest kernel, and nothing that is not there; a cheat stands in the row that it says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "declaration.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct Mention {
  std::string section;
  std::string row;  ///< "37, 38" of "| 37, 38 | inputs | ..."; empty outside of tables
  std::string name;
};

/// The names between backticks, in rows and in the items of lists. Everything above the catalogue is about the runner.
std::vector<Mention> mentions() {
  static const std::regex name("`([a-z0-9_]+)`"), row(R"(\| ?([^|]*?) ?\|.*)");
  std::vector<Mention> found;
  std::ifstream in(fs::path(CHEATS_FOLDER) / "README.md");
  std::string section;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    std::smatch match;
    const bool in_table = std::regex_match(line, match, row);
    if (section.empty() || (!in_table && !line.starts_with("- ") && !line.starts_with("  "))) continue;
    const std::string key = in_table ? match[1].str() : "";
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at) found.push_back({section, key, (*at)[1]});
  }
  return found;
}

/// Without all of its suffixes: "x" of x.host.cu.
std::string name_of(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.find('.'));
}

bool is_device_code(const fs::path& file) { return file.extension() == ".cl" || file.extension() == ".cu"; }

std::vector<fs::path> files(const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(CHEATS_FOLDER) / folder))
    if (entry.path().extension() == ".cpp" || is_device_code(entry.path())) found.push_back(entry.path());
  return found;
}

/// Whether a mention is where `cheat` says: a row of its section, a collection, or what is against this design.
bool stands_at(const Mention& mention, const std::string& cheat, bool device) {
  if (device != (mention.section == "In device code")) return false;
  if (cheat.find(':') != std::string::npos) return mention.section == "Public collections";
  if (cheat == "own" && !device) return mention.section == "Against this design";
  const bool in_row = fmt::format(" {},", mention.row).find(fmt::format(" {},", cheat)) != std::string::npos;
  return in_row && (device || mention.section == "The catalogue");
}

TEST(Catalogue, HasEachCheatInTheRowThatItSays) {
  const auto all = mentions();
  ASSERT_GT(files("").size(), 200u);
  for (const fs::path& file : files("")) {
    const std::string cheat = read_declaration(file, false).cheat;
    EXPECT_TRUE(std::ranges::any_of(
        all, [&](const Mention& mention) { return mention.name == name_of(file) && stands_at(mention, cheat, is_device_code(file)); }))
        << file.filename() << " is not in the row of README.md that it names: " << cheat;
  }
}

TEST(Catalogue, HasEachHonestKernel) {
  const auto all = mentions();
  ASSERT_GT(files("honest").size(), 70u);
  for (const fs::path& file : files("honest"))
    EXPECT_TRUE(std::ranges::any_of(all,
                                    [&](const Mention& mention) {
                                      return mention.section == "Honest kernels" && mention.name == name_of(file) &&
                                             (mention.row == "device code") == is_device_code(file);
                                    }))
        << file.filename() << " is not in README.md";
}

TEST(Catalogue, NamesNothingThatIsNotThere) {
  for (const Mention& mention : mentions()) {
    const bool honest = mention.section == "Honest kernels";
    const bool device = mention.section == "In device code" || (honest && mention.row == "device code");
    const fs::path file = fs::path(CHEATS_FOLDER) / (honest ? "honest" : "") / mention.name;
    const auto exists = [&](const char* suffix) { return fs::exists(file.string() + suffix); };
    EXPECT_TRUE(device ? exists(".cl") || exists(".cu") || exists(".host.cu") || exists(".vendor.cu") : exists(".cpp"))
        << mention.section << " names " << file;
  }
}

}  // namespace
}  // namespace assay

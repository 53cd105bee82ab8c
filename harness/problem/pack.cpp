// SPDX-License-Identifier: Apache-2.0
#include "assay/problem/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "assay/problem/problem_folder.h"

namespace assay::problem {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of all that a pack unpacks to
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

using ArchiveReader = std::unique_ptr<archive, int (*)(archive*)>;

std::string last_error(archive* from) {
  const char* text = archive_error_string(from);
  return text == nullptr ? "no reason given" : text;
}

[[noreturn]] void fail_to_read(const fs::path& file, archive* from) {
  throw ProblemError(
      fmt::format("{}: cannot be unpacked, it is cut off or damaged: {}. do: fetch it again", file.string(), last_error(from)));
}

/// A member's bytes, added to what was unpacked before.
std::string read_member(archive* from, const fs::path& file, std::size_t& unpacked) {
  std::string text;
  std::array<char, 1 << 16> buffer;
  la_ssize_t got = 0;
  while ((got = archive_read_data(from, buffer.data(), buffer.size())) > 0) {
    unpacked += static_cast<std::size_t>(got);
    if (unpacked > kMostBytes) throw ProblemError(fmt::format("{}: unpacks to more than {} MiB", file.string(), kMostBytes >> 20));
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (got < 0) fail_to_read(file, from);
  return text;
}

/// name -> bytes of the members; those of bare lines are called "data". No name leads anywhere: nothing is unpacked to disk.
std::map<std::string, std::string> read_members(const fs::path& file, bool tar) {
  const ArchiveReader reader(archive_read_new(), archive_read_free);
  archive* from = reader.get();
  archive_read_support_filter_gzip(from);
  archive_read_support_format_empty(from);
  if (tar) archive_read_support_format_tar(from);
  else archive_read_support_format_raw(from);
  constexpr std::size_t kBlock = 1 << 16;
  if (archive_read_open_filename(from, file.c_str(), kBlock) != ARCHIVE_OK) fail_to_read(file, from);
  std::map<std::string, std::string> members;
  std::size_t unpacked = 0;
  archive_entry* entry = nullptr;
  int result = ARCHIVE_OK;
  while ((result = archive_read_next_header(from, &entry)) == ARCHIVE_OK) {
    const char* path = archive_entry_pathname(entry);
    const std::string name = path == nullptr ? "" : path;
    const std::string where = fmt::format("{}: member", file.string());
    if (tar) require_plain_path(name, where);
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
      throw ProblemError(fmt::format("{} '{}' is a link, a folder or a device. expected: files alone", where, name));
    if (tar && name != "metadata.json" && name != "problems.jsonl" && name != "solutions.jsonl")
      throw ProblemError(fmt::format("{} '{}' is unknown. expected: metadata.json, and problems.jsonl or solutions.jsonl", where, name));
    if (!members.emplace(name, read_member(from, file, unpacked)).second)
      throw ProblemError(fmt::format("{} '{}' is there twice", where, name));
  }
  if (result != ARCHIVE_EOF) fail_to_read(file, from);
  return members;
}

/// Checks a line by its metadata; counts those that have a hash there.
void check_hash(Pack& pack, const std::string& id, std::string_view line, std::size_t number) {
  if (!pack.metadata.is_object()) return;
  const auto hashes = pack.metadata.find("task_id_hashes");
  if (hashes == pack.metadata.end() || !hashes->is_object()) return;
  const auto hash = hashes->find(id);
  const std::string where = fmt::format("{}: line {}: {}", pack.file, number, id);
  if (hash == hashes->end()) throw ProblemError(fmt::format("{}: metadata.json has no hash of it. do: fetch the pack again", where));
  const std::string got = md5(std::string(line) + "\n");
  if (*hash != got)
    throw ProblemError(
        fmt::format("{}: its hash is {}, and metadata.json says {}: it was changed. do: fetch the pack again", where, got, hash->dump()));
  ++pack.hashes;
}

void read_lines(Pack& pack, std::string_view text) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    const std::string where = fmt::format("{}: line {}", pack.file, number);
    if (line.size() > kLongestLine) throw ProblemError(fmt::format("{}: has more than {} MiB", where, kLongestLine >> 20));
    Json record = parse_json(line, where);
    const auto id = record.is_object() ? record.find("task_id") : record.end();
    if (!record.is_object() || id == record.end() || !id->is_string()) throw ProblemError(fmt::format("{}: has no task_id", where));
    if (!pack.solutions) check_hash(pack, id->get<std::string>(), line, number);
    pack.records.push_back(std::move(record));
  }
}

void check_count(const Pack& pack) {
  if (!pack.metadata.is_object() || pack.solutions) return;
  const auto count = pack.metadata.find("total_count");
  if (count != pack.metadata.end() && *count != pack.records.size())
    throw ProblemError(
        fmt::format("{}: has {} problems, and metadata.json says {}. do: fetch it again", pack.file, pack.records.size(), count->dump()));
}

/// Two problems of one id: whose tests would a solution be judged by?
void check_records(const Pack& pack) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < pack.records.size(); ++i) {
    const Json& record = pack.records[i];
    const std::string where = fmt::format("{}: record {}", pack.file, i + 1);
    if (pack.solutions) {
      solution_files(record, where);
      continue;
    }
    const Problem problem = read_record(record, where);
    const auto [at, fresh] = seen.emplace(problem.id, i);
    if (!fresh)
      throw ProblemError(fmt::format("{}: {}: record {} has this id, too. do: take one of them out", where, problem.id, at->second + 1));
  }
  if (pack.records.empty()) throw ProblemError(fmt::format("{}: holds no record", pack.file));
}

Pack read_file(const fs::path& file) {
  Pack pack;
  pack.file = file.string();
  const std::string name = file.filename().string();
  const bool tar = name.ends_with(".tar.gz") || name.ends_with(".tgz") || name.ends_with(".tar");
  if (!tar && !name.ends_with(".jsonl") && !name.ends_with(".jsonl.gz"))
    throw ProblemError(fmt::format("{}: expected a pack (.tar.gz), lines (.jsonl, .jsonl.gz) or a folder", pack.file));
  std::map<std::string, std::string> members = read_members(file, tar);
  if (members.contains("metadata.json")) pack.metadata = parse_json(members["metadata.json"], pack.file + ": metadata.json");
  if (tar && members.contains("problems.jsonl") == members.contains("solutions.jsonl"))
    throw ProblemError(fmt::format("{}: expected one of problems.jsonl and solutions.jsonl", pack.file));
  pack.solutions = members.contains("solutions.jsonl") || (!tar && name.find("solutions") != name.npos);
  read_lines(pack, members[tar ? (pack.solutions ? "solutions.jsonl" : "problems.jsonl") : "data"]);
  check_count(pack);
  return pack;
}

/// Of folders that hold problems: the spec of each.
std::vector<fs::path> specs_below(const fs::path& folder) {
  std::vector<fs::path> specs;
  const auto options = fs::directory_options::none;
  for (auto at = fs::recursive_directory_iterator(folder, options); at != fs::recursive_directory_iterator(); ++at) {
    constexpr int kDeepest = 4;
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    if (at->path().filename() == "problem-spec.yaml" && at->is_regular_file()) specs.push_back(at->path());
  }
  std::ranges::sort(specs);
  return specs;
}

/// In the order of the pack that the folder was made of, where pack.json says it.
void sort_as_before(Pack& pack, const fs::path& folder) {
  const fs::path file = folder / "pack.json";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  const Json kept = parse_json(read_members(file, false)["data"], file.string());
  std::map<std::string, std::size_t> place;
  for (const Json& id : kept.value("order", Json::array()))
    if (id.is_string()) place.emplace(id.get<std::string>(), place.size());
  const auto place_of = [&](const Json& record) {
    const auto found = place.find(record.at("task_id").get<std::string>());
    return found == place.end() ? place.size() : found->second;
  };
  std::ranges::stable_sort(pack.records, {}, place_of);
  pack.metadata = kept.value("metadata", Json());
}

Pack read_folder(const fs::path& folder, const std::string& release) {
  if (!release.empty()) {
    require_plain_path(release, "--release");
    for (const fs::path& file : {folder / "archive" / release / "problems.jsonl", folder / "data" / "archive" / release / "problems.jsonl",
                                 folder / (release + "-problems.tar.gz"), folder / "data" / "releases" / (release + "-problems.tar.gz")})
      if (fs::is_regular_file(file)) return read_file(file);
    throw ProblemError(fmt::format("{}: has no release {}", folder.string(), release));
  }
  for (const fs::path& file : {folder / "problems.jsonl", folder / "data" / "problems.jsonl"})
    if (fs::is_regular_file(file)) return read_file(file);
  Pack pack;
  pack.file = folder.string();
  for (const fs::path& spec : specs_below(folder)) pack.records.push_back(complete_record(read_folder_record(spec)));
  if (pack.records.empty())
    throw ProblemError(
        fmt::format("{}: holds neither problems.jsonl nor folders with problem-spec.yaml. do: name a pack, or give --release", pack.file));
  sort_as_before(pack, folder);
  return pack;
}

void add_member(archive* to, const char* name, std::string_view bytes) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), name);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_mtime(entry.get(), 0, 0);
  if (archive_write_header(to, entry.get()) != ARCHIVE_OK ||
      archive_write_data(to, bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
    throw std::runtime_error(fmt::format("export: {}: {}", name, last_error(to)));
}

std::string line_of(const Json& record) { return record.dump(-1, ' ', false, Json::error_handler_t::strict) + "\n"; }

}  // namespace

Pack read_pack(const fs::path& from, const std::string& release) {
  std::error_code error;
  if (!fs::exists(from, error)) throw ProblemError(fmt::format("{}: no such file or folder", from.string()));
  Pack pack = fs::is_directory(from) ? read_folder(from, release) : read_file(from);
  check_records(pack);
  return pack;
}

std::vector<std::string> task_names(const Pack& pack) {
  std::vector<std::string> names;
  std::map<std::string, std::string> owners;
  for (const Json& record : pack.records) {
    const std::string id = record.at("task_id");
    names.push_back(task_name_of(id));
    const auto [owner, fresh] = owners.emplace(names.back(), id);
    if (!fresh && !pack.solutions)
      throw ProblemError(fmt::format("{}: the ids '{}' and '{}' would both be the task {}. do: rename one of them", pack.file,
                                     owner->second, id, names.back()));
  }
  return names;
}

Json solution_record(const std::string& id, const std::vector<TextFile>& files) {
  Json list = Json::array();
  for (const TextFile& file : files) list.push_back({{"path", file.path}, {"content", file.text}});
  return {{"schema_version", 1}, {"type", "file"}, {"task_id", id}, {"files", std::move(list)}};
}

std::vector<TextFile> solution_files(const Json& record, std::string_view where) {
  if (record.value("type", Json("file")) != "file")
    throw ProblemError(fmt::format("{}: a solution of type {}. expected: file", where, record.at("type").dump().substr(0, 100)));
  Json holder = {{"task_id", record.at("task_id")}, {"type", "cuda_cpp"}, {"prompt", ""}, {"test_command", ""}};
  holder["baseline_solution"] = {{"files", record.value("files", Json())}};
  return read_record(holder, where).solution;
}

std::string pack_bytes(const Pack& pack) {
  std::string lines;
  for (const Json& record : pack.records) lines += line_of(record);
  const ArchiveReader writer(archive_write_new(), archive_write_free);
  archive* to = writer.get();
  archive_write_set_format_pax_restricted(to);
  archive_write_add_filter_gzip(to);
  archive_write_set_filter_option(to, "gzip", "timestamp", nullptr);  // the same input, the same bytes
  archive_write_set_bytes_per_block(to, 0);
  std::string bytes;
  const auto append = [](archive*, void* all, const void* block, std::size_t size) {
    static_cast<std::string*>(all)->append(static_cast<const char*>(block), size);
    return static_cast<la_ssize_t>(size);
  };
  if (archive_write_open(to, &bytes, nullptr, append, nullptr) != ARCHIVE_OK) throw std::runtime_error("export: " + last_error(to));
  add_member(to, "metadata.json", line_of(pack.metadata));
  add_member(to, pack.solutions ? "solutions.jsonl" : "problems.jsonl", lines);
  if (archive_write_close(to) != ARCHIVE_OK) throw std::runtime_error("export: " + last_error(to));
  return bytes;
}

Json metadata_of(const Pack& pack, const std::string& release, const std::string& created) {
  Json metadata = {{"release", release}, {"total_count", pack.records.size()}, {"created_at", created}, {"description", nullptr}};
  if (pack.solutions) metadata["groups"] = nullptr;
  else
    for (const Json& record : pack.records) metadata["task_id_hashes"][record.at("task_id").get<std::string>()] = md5(line_of(record));
  return metadata;
}

std::string md5(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_md5(), nullptr) != 1)
    throw std::runtime_error("md5: OpenSSL refuses to compute one (a FIPS policy?)");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", hash[i]);
  return text;
}

}  // namespace assay::problem

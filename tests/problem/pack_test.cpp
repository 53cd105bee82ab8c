// SPDX-License-Identifier: Apache-2.0
#include "assay/problem/pack.h"

#include <gmock/gmock.h>

#include <fstream>

#include "assay/problem/problem_folder.h"
#include "records.h"
#include "temporary_folder.h"

namespace assay::problem {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
namespace fs = std::filesystem;

Pack pack_of(std::vector<ordered_json> records) {
  Pack pack;
  pack.records = std::move(records);
  pack.metadata = metadata_of(pack, "our-1", "2026-01-01T00:00:00");
  return pack;
}

fs::path written(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::string error_of(const fs::path& file) {
  try {
    read_pack(file);
  } catch (const ProblemError& error) {
    return error.what();
  }
  return "";
}

TEST(Pack, GivesTheSameBytesBack) {
  const TemporaryFolder folder;
  const Pack pack = pack_of({whole_record("CUDA/1"), whole_record("CUDA/0")});
  const std::string bytes = pack_bytes(pack);
  EXPECT_EQ(bytes, pack_bytes(pack));
  Pack read = read_pack(written(folder / "our-1-problems.tar.gz", bytes));
  EXPECT_EQ(read.hashes, 2u);
  EXPECT_EQ(pack_bytes(read), bytes);
}

TEST(Pack, HashesAreOfLinesWithTheirEnds) {
  EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");  // RFC 1321
  EXPECT_EQ(md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  const Pack pack = pack_of({whole_record()});
  EXPECT_EQ(pack.metadata["task_id_hashes"]["CUDA/1"], md5(whole_record().dump() + "\n"));
}

TEST(Pack, AChangedLineIsFound) {
  const TemporaryFolder folder;
  Pack pack = pack_of({whole_record()});
  pack.records[0]["test_command"] = "true";
  EXPECT_THAT(error_of(written(folder / "x.tar.gz", pack_bytes(pack))), HasSubstr("line 1: CUDA/1: its hash is "));
  pack = pack_of({whole_record()});
  pack.metadata["task_id_hashes"] = {{"other", ""}};
  EXPECT_THAT(error_of(written(folder / "x.tar.gz", pack_bytes(pack))), HasSubstr("metadata.json has no hash of it"));
  pack = pack_of({whole_record()});
  pack.metadata["total_count"] = 2;
  EXPECT_THAT(error_of(written(folder / "x.tar.gz", pack_bytes(pack))), HasSubstr("has 1 problems, and metadata.json says 2"));
}

TEST(Pack, IdsAreDifferentAndSoAreNames) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of(written(folder / "x.tar.gz", pack_bytes(pack_of({whole_record("a"), whole_record("a")})))),
              HasSubstr("record 1 has this id, too"));
  Pack pack = read_pack(written(folder / "x.tar.gz", pack_bytes(pack_of({whole_record("A/1"), whole_record("a 1")}))));
  EXPECT_THROW(task_names(pack), ProblemError);
  pack = read_pack(written(folder / "x.tar.gz", pack_bytes(pack_of({whole_record("A/1"), whole_record("A b/1")}))));
  EXPECT_THAT(task_names(pack), testing::ElementsAre("a_1", "a_b_1"));
}

TEST(Pack, ThatIsCutOffIsDamaged) {
  const TemporaryFolder folder;
  const std::string bytes = pack_bytes(pack_of({whole_record()}));
  for (std::size_t size : {std::size_t{0}, std::size_t{20}, bytes.size() / 2, bytes.size() - 9})
    EXPECT_NE(error_of(written(folder / "x.tar.gz", bytes.substr(0, size))), "") << size;
  EXPECT_THAT(error_of(written(folder / "x.tar.gz", bytes.substr(0, bytes.size() / 2))), HasSubstr("cut off or damaged"));
  EXPECT_THAT(error_of(written(folder / "x.zip", bytes)), HasSubstr("expected a pack (.tar.gz), lines"));
  EXPECT_THAT(error_of(folder / "nothing.tar.gz"), HasSubstr("no such file"));
}

TEST(Pack, LinesAloneAreRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_pack(written(folder / "p.jsonl", whole_record().dump() + "\n\n")).records.size(), 1u);
  EXPECT_THAT(error_of(written(folder / "p.jsonl", whole_record().dump() + "\nnot json\n")), HasSubstr("p.jsonl: line 2: no JSON"));
  EXPECT_THAT(error_of(written(folder / "p.jsonl", "[]\n")), HasSubstr("line 1: has no task_id"));
  EXPECT_THAT(error_of(written(folder / "p.jsonl", "")), HasSubstr("holds no record"));
  EXPECT_THAT(error_of(written(folder / "p.jsonl", "{\"task_id\": \"\xff\"}\n")), HasSubstr("line 1: no JSON"));
}

TEST(Pack, ADataSetsFoldersAreRead) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "data/archive/2025-1");
  written(folder / "data/problems.jsonl", whole_record("a").dump());
  written(folder / "data/archive/2025-1/problems.jsonl", whole_record("b").dump());
  EXPECT_EQ(read_pack(folder.path()).records.front()["task_id"], "a");
  EXPECT_EQ(read_pack(folder.path(), "2025-1").records.front()["task_id"], "b");
  EXPECT_THROW(read_pack(folder.path(), "2025-2"), ProblemError);
  EXPECT_THROW(read_pack(folder.path(), "../x"), ProblemError);
}

TEST(Pack, FoldersOfProblemsAreRead) {
  const TemporaryFolder folder;
  write_folder(whole_record("x"), folder / "tasks/group/x");
  EXPECT_EQ(read_pack(folder.path()).records.front().dump(), whole_record("x").dump());
  fs::create_directories(folder / "nothing");
  EXPECT_THAT(error_of(folder / "nothing"), HasSubstr("holds neither problems.jsonl nor folders"));
}

TEST(Pack, HoldsSolutionsToo) {
  const TemporaryFolder folder;
  Pack pack;
  pack.solutions = true;
  pack.records = {solution_record("CUDA/1", {{"solution.cu", "int a;"}}), solution_record("CUDA/1", {{"solution.cu", "int b;"}})};
  pack.metadata = metadata_of(pack, "our-1", "2026-01-01T00:00:00");
  const Pack read = read_pack(written(folder / "x-solutions.tar.gz", pack_bytes(pack)));
  EXPECT_TRUE(read.solutions);
  EXPECT_EQ(solution_files(read.records[1], "x").front(), (TextFile{"solution.cu", "int b;"}));
  pack.records[0]["files"][0]["path"] = "../x";
  EXPECT_THAT(error_of(written(folder / "x-solutions.tar.gz", pack_bytes(pack))), HasSubstr("climbs"));
}

}  // namespace
}  // namespace assay::problem

// SPDX-License-Identifier: Apache-2.0
#include "assay/plan/confinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "temporary_folder.h"

namespace assay::plan {
namespace {

class Confinement : public testing::Test {
 protected:
  nlohmann::json kept() const { return nlohmann::json::parse(std::ifstream(file())); }
  void keep(const nlohmann::json& offer) const { std::ofstream(file()) << offer; }
  std::filesystem::path file() const { return folder_ / "made/sandbox.json"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(Confinement, IsFoundOutOnceAndKept) {
  const sandbox::Layers found = offered_layers(ESCAPE, file()).layers;
  nlohmann::json offer = kept();
  EXPECT_EQ(offer["layers"]["namespaces"], found.namespaces);
  offer["layers"] = {{"namespaces", false}, {"landlock", true}, {"filter", true}};
  offer["refused"] = {
      {{"layers", {{"namespaces", true}, {"landlock", true}, {"filter", true}}}, {"why", "clone: Operation not permitted"}}};
  keep(offer);
  const sandbox::OfferedLayers read = offered_layers(ESCAPE, file());
  EXPECT_FALSE(read.layers.namespaces);
  ASSERT_EQ(read.refused.size(), 1u);
  EXPECT_EQ(read.refused[0].why, "clone: Operation not permitted");
}

TEST_F(Confinement, IsFoundOutAnewUnderOtherCircumstancesOrWhereTheFileIsDamaged) {
  const sandbox::Layers found = offered_layers(ESCAPE, file()).layers;
  const nlohmann::json right = kept();
  for (const char* what : {"/proc/sys/kernel/random/boot_id", "/proc/sys/user/max_user_namespaces", "namespace", "user", "escape"}) {
    nlohmann::json offer = right;
    offer["layers"] = {{"namespaces", false}, {"landlock", false}, {"filter", false}};
    ASSERT_TRUE(offer["under"].contains(what));
    offer["under"][what] = "another";
    keep(offer);
    EXPECT_EQ(offered_layers(ESCAPE, file()).layers, found) << what;
  }
  std::ofstream(file()) << "{\"under\": 3";
  EXPECT_EQ(offered_layers(ESCAPE, file()).layers, found);
  EXPECT_EQ(kept()["layers"]["filter"], found.filter);
}

TEST(RequireTier, ComparesAndExplains) {
  const sandbox::OfferedLayers weak{{.namespaces = false}, {{sandbox::Layers{}, "clone: Operation not permitted"}}};
  EXPECT_NO_THROW(require_tier(weak, "", "x"));
  EXPECT_NO_THROW(require_tier(weak, "reduced", "x"));
  EXPECT_THROW(require_tier(weak, "best", "x"), std::runtime_error);
  try {
    require_tier(weak, "full", "sandbox");
    FAIL();
  } catch (const WeakerTier& error) {
    EXPECT_STREQ(error.what(),
                 "sandbox: needs the sandbox tier full, got reduced. namespaces + landlock + seccomp + limits: clone: "
                 "Operation not permitted. do: see `assay doctor`");
  }
}

}  // namespace
}  // namespace assay::plan

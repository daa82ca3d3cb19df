// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir headroom --against grades a vendor's table.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace weir::test::headroom_against_test {
namespace {

using Json = nlohmann::json;

class HeadroomAgainst : public InFolder {
 protected:
  [[nodiscard]] std::string table(const std::string& rows) const {
    std::ofstream{at("pg_profile_lookup.ini")} << "# speed cable size xon xoff threshold\n" << rows;
    return at("pg_profile_lookup.ini");
  }
  [[nodiscard]] static Outcome grade(const std::string& arguments) {
    return shell(program() + " headroom --against " + arguments);
  }
};

// A row drops if and only if it has fewer cells than the attack needs.
void check_row(const Json& row) {
  EXPECT_EQ(row["drops"] == 0, row["margin_cells"] >= 0) << row;
  EXPECT_EQ(row["margin_cells"].get<std::int64_t>(),
            row["published_cells"].get<std::int64_t>() - row["need_cells"].get<std::int64_t>());
  EXPECT_LE(row["need_cells"], row["worst_case_cells"]) << row;
}

TEST_F(HeadroomAgainst, TheRowDropsOneCellBelowItsNeedAndNotAtIt) {
  const Json first =
      Json::parse(grade(table("100000 40m 1248 2288 99840 0\n") + " --json").text, nullptr, false);
  ASSERT_FALSE(first.is_discarded());
  const std::uint64_t need = first["rows"][0]["need_cells"];
  for (const std::uint64_t cells : {need - 1, need}) {
    const Outcome outcome =
        grade(table("100000 40m 1248 2288 " + std::to_string(cells * 208) + " 0\n") + " --json");
    const Json row = Json::parse(outcome.text, nullptr, false)["rows"][0];
    EXPECT_EQ(row["published_cells"], cells);
    EXPECT_EQ(row["need_cells"], need);
    EXPECT_EQ(row["drops"] != 0, cells < need) << row;
    EXPECT_EQ(outcome.exit_code, cells < need ? 1 : 0);
    check_row(row);
  }
}

TEST_F(HeadroomAgainst, EveryPublishedRowIsGraded) {
  const Outcome outcome = grade("vectors/published/vendor_headroom.csv --json");
  EXPECT_EQ(outcome.exit_code, 1) << "some of them drop";
  const Json json = Json::parse(outcome.text, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << outcome.text;
  ASSERT_EQ(json["rows"].size(), 70U);
  std::size_t drop = 0;
  for (const Json& row : json["rows"]) {
    check_row(row);
    drop += row["drops"] != 0 ? 1U : 0U;
  }
  EXPECT_GT(drop, 0U);
  EXPECT_LT(drop, 70U);
}

TEST_F(HeadroomAgainst, ATableAndTheCsvOfTheSameRowsAgree) {
  const Outcome text = grade(table("40000 300m 56368 18432 55120 -3 2496\n"));
  EXPECT_TRUE(text.says("40G    300 m   208        265")) << text.text;
  EXPECT_TRUE(text.says("1 rows, ")) << text.text;
}

TEST_F(HeadroomAgainst, WhatIsNoTableIsNotReadToItsEnd) {
  const std::string pipe = at("pipe"), hole = at("hole");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0666), 0);
  std::ofstream{hole} << "p";
  std::filesystem::resize_file(hole, std::uintmax_t{1} << 36);
  for (const std::string& file : {pipe, hole, std::string{"/dev/zero"}}) {
    const Outcome outcome = grade(file + " --cell 254");
    EXPECT_EQ(outcome.exit_code, 2) << file << outcome.text;
  }
}

TEST_F(HeadroomAgainst, BadTablesAreRefusedWithTheirLine) {
  const auto refused = [&](const std::string& rows, const std::string& words) {
    const Outcome outcome = grade(table(rows));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(outcome.says(words)) << outcome.text;
  };
  refused("", "has no rows");
  refused("100000 40m 1 2\n", "pg_profile_lookup.ini:2: row");
  refused("100000 40x 1248 2288 99840 0\n", "pg_profile_lookup.ini:2: cable = 40x");
  refused("123 40m 1248 2288 99840 0\n", "pg_profile_lookup.ini:2: speed = 123 Mbps");
  refused("160000 40m 1248 2288 99840 0\n", "is known only for");
  refused("100000 40m 1248 2288 0 0\n", "xoff = 0");
  EXPECT_EQ(grade("none.ini").exit_code, 2);
  const std::string good = table("100000 40m 1248 2288 99840 0\n");
  EXPECT_EQ(grade(good + " --rate 100G").exit_code, 2) << "rows have their own";
  EXPECT_EQ(grade(good + " --cell 0").exit_code, 2);
}

}  // namespace
}  // namespace weir::test::headroom_against_test

// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/latency_package.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "weir/core/pipeline_latency.hpp"

namespace weir::test::latency_package_test {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(LatencyPackage, ThePackageOfTheRtlIsUpToDate) {
  EXPECT_EQ(content_of("rtl/pkg/pipeline_latency_pkg.sv"), latency_systemverilog())
      << "run scripts/doc/registers";
}

TEST(LatencyPackage, EveryPageHasItsRowsOnce) {
  for (const PageRow& row : latency_rows()) {
    const std::string text = content_of(row.page);
    const auto found = text.find('\n' + row.row + '\n');
    EXPECT_NE(found, std::string::npos)
        << row.page << ": run scripts/doc/registers for " << row.row;
    EXPECT_EQ(text.find('\n' + row.first_cell(), found + 1), std::string::npos)
        << row.page << " has two rows " << row.first_cell();
  }
}

TEST(LatencyPackage, ThePageHasTheLeastAdmitWhereWredDrops) {
  const std::string least = std::to_string(pipeline::admit.rtl_least_drops());
  EXPECT_NE(content_of("docs/blocks/pipeline_latency.md")
                .find("at least " + least + ", `AdmitLatencyLeastDrops`"),
            std::string::npos);
}

TEST(LatencyPackage, ReplacesTheRowsOfAPageAndNothingElse) {
  const std::string page = "docs/blocks/pfc_generator.md";
  const std::string rest = "text with `PfcLatency`\n| `PfcLatencyX` | 1 |\n";
  const std::string text = with_latency_rows(page, "| `PfcLatency` | 7 |\n" + rest);
  EXPECT_EQ(text, latency_rows().back().row + '\n' + rest);
  EXPECT_EQ(with_latency_rows("README.md", rest), rest) << "a page without rows";
}

}  // namespace
}  // namespace weir::test::latency_package_test

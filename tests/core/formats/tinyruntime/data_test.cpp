// The reference cases: models that the project's own exporter made, and damaged files with the
// verdict that each must get. They are no part of the repository; AMBRY_DATA names the folder that
// holds `tinyruntime/`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "data_files.h"
#include "formats/conformance.h"
#include "formats/stream_layout.h"
#include "formats/tinyruntime/tinyruntime_parse.h"
#include "io/json/json.h"

namespace ambry::formats::tinyruntime {
namespace {

using formats::testing::File;
using formats::testing::Outcome;
using model::CnnVariant;

File read_file(const std::filesystem::path& path) { return *ambry::testing::read_file(path); }

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".bin") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class TinyRuntimeData : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("tinyruntime");
    folder_ = ambry::testing::data_folder() / "tinyruntime";
  }

  std::filesystem::path folder_;
  const Format& format_ = *find_format("tinyruntime");
};

TEST_F(TinyRuntimeData, ModelsReadStrictlyAndAreWrittenBackByteForByte) {
  for (const auto& path : files_in(folder_ / "models")) {
    SCOPED_TRACE(path.filename());
    const File file = read_file(path);
    const io::MemorySource source(file);
    const auto recognised = recognise(source);
    ASSERT_TRUE(recognised) << describe(recognised.error());
    EXPECT_EQ((*recognised)->facts.id, "tinyruntime");
    const Outcome outcome = formats::testing::read(file, format_);
    ASSERT_TRUE(outcome.accepted());
    const std::string name = path.stem();
    const std::string variant = outcome.model->config.find("variant")->string();
    EXPECT_NE(name.find("_" + variant), std::string::npos) << variant;
    model::Model model = *outcome.model;
    const auto layout = format_.lay_out(model);
    ASSERT_TRUE(layout) << describe(layout.error());
    EXPECT_TRUE(formats::testing::stream(*layout, *outcome.model, file) == file);
  }
}

TEST_F(TinyRuntimeData, DamagedFilesGetTheirVerdict) {
  const File text = read_file(folder_ / "bad/manifest.json");
  const auto manifest = io::parse_json(as_text(text));
  ASSERT_TRUE(manifest);
  for (const io::Json& row : manifest->items()) {
    const std::string& name = row.find("file")->string();
    SCOPED_TRACE(name + ": " + row.find("why")->string());
    const File file = read_file(folder_ / "bad" / name);
    const io::MemorySource source(file);
    if (name.ends_with("_empty.bin")) {
      EXPECT_EQ(recognise(source).error().code, ErrorCode::Truncated);
      continue;
    }
    const auto recognised = recognise(source);
    ASSERT_TRUE(recognised) << describe(recognised.error());
    ASSERT_EQ((*recognised)->facts.id, "tinyruntime");
    const Outcome outcome =
        formats::testing::read(file, format_, {.strictness = io::Strictness::Lenient});
    if (name.ends_with("_read_as_dq8.bin")) {
      // Whole files of another variant than somebody claims.
      EXPECT_TRUE(outcome.accepted());
      io::Diagnostics found;
      EXPECT_FALSE(parse_as(CnnVariant::Dq8, source, found) && found.errors.empty());
      continue;
    }
    EXPECT_EQ(outcome.accepted(), row.find("verdict")->string() == "warn");
  }
}

}  // namespace
}  // namespace ambry::formats::tinyruntime

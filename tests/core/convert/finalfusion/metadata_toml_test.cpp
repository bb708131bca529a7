// Replaces the metadata of a finalfusion file.
#include <gtest/gtest.h>

#include <string>

#include "convert/finalfusion/vector_files.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

const std::string kToml = "# by hand\nrate = 1.0\n[made]\nby = \"us\"\n";

Options with_toml(const std::string& toml) {
  Options options = to("finalfusion");
  options.metadata_toml = toml;
  return options;
}

TEST(MetadataToml, ReplacesTheMetadataByteForByte) {
  FifuMaker maker = maker_of(3, 2);
  const Read before = read_strictly(maker.make());
  const auto made = run(before.file, {}, with_toml(kToml));
  ASSERT_TRUE(made) << describe(made.error());
  const Read after = read_strictly(*made);
  EXPECT_NE(before.model.metadata_text, kToml);
  EXPECT_EQ(after.model.metadata_text, kToml);
  EXPECT_EQ(after.model.words, before.model.words);
  EXPECT_EQ(after.floats("storage"), before.floats("storage"));

  const auto without = run(before.file, {}, with_toml(""));
  ASSERT_TRUE(without) << describe(without.error());
  EXPECT_EQ(read_strictly(*without).model.metadata_text, "");
}

TEST(MetadataToml, IsWrittenWhenConvertingFromText) {
  const std::string text = "a 1 2\nb 3 4\n";
  Options options = with_toml(kToml);
  options.from = "text";
  const auto made = run(File(text.begin(), text.end()), {}, options);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(read_strictly(*made).model.metadata_text, kToml);
}

TEST(MetadataToml, RejectsInvalidTomlAtItsOffset) {
  const File file = maker_of(3, 2).make();
  expect_refused(file, with_toml("a = 1\nb = ="), ErrorCode::BadValue, "options.metadataToml", 10);
  Options text = with_toml(kToml);
  text.to = "text";
  expect_refused(file, text, ErrorCode::Unsupported, "options.metadataToml");
  Options both = with_toml(kToml);
  both.metadata = {{"a", "b"}};
  expect_refused(file, both, ErrorCode::Unsupported, "options.metadataToml");
}

}  // namespace
}  // namespace ambry::convert

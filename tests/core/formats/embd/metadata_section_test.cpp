#include <gtest/gtest.h>

#include "formats/embd/read_embd.h"

namespace ambry::formats::embd {
namespace {

using testing::F0Maker;
using testing::has;
using testing::Read;
using testing::read;

// core/formats/embd/README.md#f0-metadata
TEST(EmbdF0, RefusesDuplicateMetadataAndWarnsAboutMissingKeys) {
  F0Maker maker;
  maker.metadata.emplace_back("model_name", "again");
  const Read twice = read(maker.make());
  ASSERT_TRUE(twice.model);
  EXPECT_TRUE(has(twice.found.errors, "metadata[11].key"));
  F0Maker bare;
  std::erase_if(bare.metadata, [](const auto& entry) { return entry.first == "created_at"; });
  bare.metadata.emplace_back("my_key", "kept");
  const Read missing = read(bare.make());
  EXPECT_TRUE(missing.found.errors.empty());
  ASSERT_EQ(missing.found.warnings.size(), 1U);
  EXPECT_EQ(missing.found.warnings[0].path, "metadata.created_at");
  EXPECT_EQ(missing.model->metadata.find("my_key")->string(), "kept");
}

TEST(EmbdF0, RefusesMetadataThatIsNotUtf8AtItsByte) {
  F0Maker maker;
  maker.metadata = {{"k", "v\xFF"}};
  const Error error = read(maker.make()).model.error();
  EXPECT_EQ(error.path, "metadata[0].value");
  EXPECT_EQ(error.byte_offset, maker.places.metadata + 8 + 4 + 2);
}

}  // namespace
}  // namespace ambry::formats::embd

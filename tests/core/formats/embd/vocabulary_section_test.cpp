#include <gtest/gtest.h>

#include "formats/embd/read_embd.h"
#include "formats/expect_format.h"

namespace ambry::formats::embd {
namespace {

using testing::expect_tolerated;
using testing::F0Maker;
using testing::File;
using testing::has;
using testing::put_at;
using testing::Read;
using testing::read;

// Sizes in the header count the whole section, total_size only the entries.
TEST(EmbdF0, RefusesEntriesThatPassTheirSection) {
  F0Maker maker;
  File file = maker.make();
  const auto entries = load_le<uint32_t>(file.data() + maker.places.metadata + 4);
  put_at(file, maker.places.metadata + 4, entries + 1);
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "metadata.total_size");
  file = maker.make();
  put_at(file, maker.places.vocabulary + 4, uint32_t{4000});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "vocabulary.total_size");
  maker.metadata.emplace_back("x", "y");  // now padding follows the section
  file = maker.make();
  put_at(file, kMetadataOffsetAt + 4, load_le<uint32_t>(file.data() + kMetadataOffsetAt + 4) + 1);
  testing::seal(file);
  expect_tolerated(file, "metadata.total_size", maker.places.metadata + 4);
}

// core/formats/embd/README.md#special-ids
TEST(EmbdF0, FindsSpecialIdsBeforeTheEntries) {
  F0Maker maker;
  maker.special_first = true;
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.model->tokenizer->vocabulary[5], "a");
  EXPECT_EQ(result.model->tokenizer->mask_id, 4U);
}

TEST(EmbdF0, AcceptsSpecialIdsCountedFromTheSectionWithAWarning) {
  for (const bool first : {false, true}) {
    F0Maker maker;
    maker.metadata.emplace_back("padding", std::string(400, 'x'));
    maker.special_relative = true;
    maker.special_first = first;
    const Read result = read(maker.make());
    ASSERT_TRUE(result.model) << describe(result.model.error());
    EXPECT_TRUE(result.found.errors.empty());
    EXPECT_TRUE(has(result.found.warnings, "vocabulary.special_tokens"));
    EXPECT_EQ(result.model->tokenizer->cls_id, 2U);
    EXPECT_EQ(result.model->tokenizer->vocabulary[5], "a");
  }
}

TEST(EmbdF0, FindsSpecialTokensByTextIfNoIdsAreStored) {
  F0Maker maker;
  maker.no_special = true;
  std::swap(maker.tokens[0], maker.tokens[5]);
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.model->tokenizer->pad_id, 5U);
  EXPECT_EQ(result.model->tokenizer->mask_id, 4U);
}

TEST(EmbdF0, RefusesSpecialIdsOutsideTheirSectionOrVocabulary) {
  F0Maker maker;
  File file = maker.make();
  put_at(file, maker.places.vocabulary + 8, uint32_t{1'000'000});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().byte_offset, maker.places.vocabulary + 8);
  file = maker.make();
  put_at(file, maker.places.vocabulary + 8, static_cast<uint32_t>(maker.places.vocabulary + 16));
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "vocabulary.special_tokens");
  file = maker.make();
  put_at(file, maker.places.special + 8, uint32_t{8});
  testing::seal(file);
  EXPECT_EQ(read(file).model.error().path, "vocabulary.cls_id");
  EXPECT_EQ(read(file).model.error().byte_offset, maker.places.special + 8);
}

// core/formats/embd/README.md#f0-no-vocabulary
TEST(EmbdF0, ReadsAFileWithoutAVocabulary) {
  F0Maker maker;
  maker.flags &= ~kFlagVocabEmbedded;
  File file = maker.make();
  const Read result = read(file);
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(result.found.errors.empty());
  EXPECT_FALSE(result.model->tokenizer);
  EXPECT_TRUE(has(result.found.warnings, "vocabulary"));
  put_at(file, kVocabularyOffsetAt, uint32_t{64});
  testing::seal(file);
  expect_tolerated(file, "header.vocab_offset", kVocabularyOffsetAt);
}

TEST(EmbdF0, WarnsWhenTheVocabularyIsNotAsLongAsTheWordEmbeddings) {
  F0Maker maker;
  maker.tokens.emplace_back("extra");
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  EXPECT_TRUE(result.found.errors.empty());
  EXPECT_TRUE(has(result.found.warnings, "vocabulary.token_count"));
}

}  // namespace
}  // namespace ambry::formats::embd

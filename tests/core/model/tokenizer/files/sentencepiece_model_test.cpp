#include "model/tokenizer/files/sentencepiece_model.h"

#include <gtest/gtest.h>

#include "formats/amb/make_amb.h"
#include "text/test_files.h"

namespace ambry::model {
namespace {

using formats::amb::testing::sentencepiece_model;

TEST(SentencePieceModel, HasPiecesAndSettings) {
  const std::vector<uint8_t> bytes = sentencepiece_model();
  const auto model = parse_sentencepiece_model(bytes, 0, "model");
  ASSERT_TRUE(model) << describe(model.error());
  ASSERT_EQ(model->pieces.size(), 8U);
  EXPECT_EQ(model->pieces[4], "\xE2\x96\x81");
  EXPECT_EQ(model->scores[5], -5);
  EXPECT_EQ(model->types[0], 2);
  EXPECT_EQ(model->type, SentencePieceModel::Type::Bpe);
  EXPECT_TRUE(model->byte_fallback);
  EXPECT_EQ(model->bos_id, 1U);
  EXPECT_FALSE(model->pad_id);
  EXPECT_EQ(model->normalizer, "nmt_nfkc");
  EXPECT_FALSE(model->add_dummy_prefix);
  EXPECT_TRUE(model->escape_whitespaces);
}

TEST(SentencePieceModel, ReportsTheDamagedPiece) {
  std::vector<uint8_t> bytes = sentencepiece_model();
  bytes[3] = 0;  // <unk> becomes an empty piece followed by other fields
  const auto model = parse_sentencepiece_model(bytes, 70, "model");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().path, "model.pieces[0]");
  EXPECT_GE(model.error().byte_offset, 70U);
}

TEST(SentencePieceModel, EveryPrefixIsAnErrorOrAShorterModel) {
  const std::vector<uint8_t> bytes = sentencepiece_model();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto model = parse_sentencepiece_model(Bytes(bytes).first(size), 0, "model");
    if (model) {
      EXPECT_LE(model->pieces.size(), 8U);
    } else {
      EXPECT_LE(model.error().byte_offset, size);
    }
  }
}

void expect_same_after_writing(const SentencePieceModel& model) {
  const std::string written = write_sentencepiece_model(model);
  const auto again = parse_sentencepiece_model(as_bytes(written), 0, "model");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(again->pieces, model.pieces);
  EXPECT_EQ(again->scores, model.scores);
  EXPECT_EQ(again->types, model.types);
  EXPECT_EQ(again->type, model.type);
  EXPECT_EQ(again->treat_whitespace_as_suffix, model.treat_whitespace_as_suffix);
  EXPECT_EQ(again->byte_fallback, model.byte_fallback);
  EXPECT_EQ(again->unk_id, model.unk_id);
  EXPECT_EQ(again->bos_id, model.bos_id);
  EXPECT_EQ(again->eos_id, model.eos_id);
  EXPECT_EQ(again->pad_id, model.pad_id);
  EXPECT_EQ(again->unk_surface, model.unk_surface);
  EXPECT_EQ(again->normalizer, model.normalizer);
  EXPECT_EQ(again->charsmap, model.charsmap);
  EXPECT_EQ(again->denormalizer_charsmap, model.denormalizer_charsmap);
  EXPECT_EQ(again->add_dummy_prefix, model.add_dummy_prefix);
  EXPECT_EQ(again->remove_extra_whitespaces, model.remove_extra_whitespaces);
  EXPECT_EQ(again->escape_whitespaces, model.escape_whitespaces);
}

TEST(SentencePieceModel, RoundTrips) {
  const std::vector<uint8_t> bytes = sentencepiece_model();
  auto model = parse_sentencepiece_model(bytes, 0, "model");
  ASSERT_TRUE(model);
  expect_same_after_writing(*model);
  model->unk_id.reset();
  model->pad_id = 70'000;
  model->denormalizer_charsmap = "map";
  model->unk_surface = "?";
  model->treat_whitespace_as_suffix = true;
  model->escape_whitespaces = false;
  expect_same_after_writing(*model);
}

// Files from Google and others. The README beside them has the expected numbers.
TEST(SentencePieceModel, ReadsRealModels) {
  struct Expected {
    std::string file;
    SentencePieceModel::Type type;
    size_t n_pieces;
    bool byte_fallback;
  };
  using Type = SentencePieceModel::Type;
  const Expected kExpected[] = {{"test_model.model", Type::Unigram, 1000, false},
                                {"en.wiki.bpe.vs1000.model", Type::Bpe, 1000, false},
                                {"mistral.tokenizer.model.v1", Type::Bpe, 32000, true}};
  AMBRY_NEEDS_DATA("tokenizers/sentencepiece");
  for (const Expected& expected : kExpected) {
    const auto file = text::read_data("tokenizers/sentencepiece/" + expected.file);
    ASSERT_TRUE(file) << expected.file;
    const auto model = parse_sentencepiece_model(as_bytes(*file), 0, "model");
    ASSERT_TRUE(model) << describe(model.error());
    EXPECT_EQ(model->type, expected.type) << expected.file;
    EXPECT_EQ(model->pieces.size(), expected.n_pieces);
    EXPECT_EQ(model->byte_fallback, expected.byte_fallback);
    EXPECT_EQ(model->pieces[1], "<s>");
    EXPECT_EQ(model->charsmap.empty(), expected.byte_fallback);  // mistral's normalizer is identity
    expect_same_after_writing(*model);
  }
}

}  // namespace
}  // namespace ambry::model

// Reading over a network: few requests, few bytes, no weights, no vocabulary unless it is wanted.
#include "formats/alt/alt_parse.h"
#include "formats/alt/read_alt.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

struct Transfer {
  Result<model::Model> model = model::Model();
  size_t requests = 0;
  uint64_t bytes = 0;
};

Transfer read_in_parts(const File& file, bool vocabulary) {
  io::PartialSource source(file.size());
  Transfer transfer;
  for (;;) {
    io::Diagnostics found;
    transfer.model = parse(source, found, {.vocabulary = vocabulary});
    if (transfer.model || transfer.model.error().code != ErrorCode::NeedBytes) return transfer;
    const Error& need = transfer.model.error();
    ++transfer.requests;
    transfer.bytes += need.need_size;
    EXPECT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
}

// A vocabulary of 20,000 tokens and `n_layers` layers with matrices of a few kilobytes.
V1Maker large(int n_layers) {
  V1Maker maker;
  for (int i = 0; i < 20'000; ++i) maker.tokens.push_back({"piece" + std::to_string(i)});
  const auto layer = maker.tensors;
  for (int i = 1; i < n_layers; ++i) {
    for (size_t t = 1; t < 10; ++t) {
      Tensor tensor = layer[t];
      tensor.name.replace(13, 1, std::to_string(i));
      for (int32_t& extent : tensor.shape) extent *= 8;
      maker.tensors.push_back(tensor);
    }
  }
  return maker;
}

TEST(AltParts, AsksOnceATensorAndForNoWeights) {
  V1Maker maker = large(33);
  ASSERT_EQ(maker.tensors.size(), 299U);
  const File file = maker.make();
  const Transfer transfer = read_in_parts(file, false);
  ASSERT_TRUE(transfer.model) << describe(transfer.model.error());
  EXPECT_EQ(transfer.model->tensors.size(), 299U);
  EXPECT_EQ(transfer.model->tokenizer->n_tokens, 20'009U);
  EXPECT_EQ(transfer.model->tokenizer->eos_id, 2U);
  EXPECT_TRUE(transfer.model->tokenizer->vocabulary.empty());
  EXPECT_LE(transfer.requests, 310U);
  EXPECT_LE(transfer.bytes, 64U << 10);
}

TEST(AltParts, AsksForTheVocabularyInOnePiece) {
  V1Maker maker = large(2);
  const File file = maker.make();
  const Transfer without = read_in_parts(file, false);
  const Transfer with = read_in_parts(file, true);
  ASSERT_TRUE(with.model) << describe(with.model.error());
  EXPECT_EQ(with.model->tokenizer->vocabulary.size(), 20'009U);
  EXPECT_EQ(with.requests, without.requests + 1);
}

TEST(AltParts, SkipsTheVocabularyOfAFaultyWriterToo) {
  V2Maker maker = V2Maker::with_tokens(20'000);
  maker.forget_ids = true;
  const Transfer transfer = read_in_parts(maker.make(), false);
  ASSERT_TRUE(transfer.model) << describe(transfer.model.error());
  EXPECT_EQ(transfer.model->tokenizer->n_tokens, 20'009U);
  EXPECT_LE(transfer.requests, 8U);
  EXPECT_LE(transfer.bytes, 4096U);
}

TEST(AltParts, ReadsTheTokensIfTheSectionSizeIsWrong) {
  V1Maker maker = large(1);
  File file = maker.make();
  put_at(file, maker.places.tokenizer + 8, int64_t{-1});
  const Transfer transfer = read_in_parts(file, false);
  ASSERT_TRUE(transfer.model) << describe(transfer.model.error());
  EXPECT_EQ(transfer.model->tensors.size(), 11U);
  EXPECT_LE(transfer.requests, 40U);
}

}  // namespace
}  // namespace ambry::formats::alt

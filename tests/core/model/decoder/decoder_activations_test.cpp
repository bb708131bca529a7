// Statistics of a decoder's activations, as bytes and back.
#include "model/decoder/decoder_activations.h"

#include <gtest/gtest.h>

#include <vector>

namespace ambry::model {
namespace {

DecoderActivations two_layers() {
  DecoderActivations made;
  made.layers = {{{1, 2}, {3, 4, 5}, {6}, {}, {{}, {}}},
                 {{-1.5F}, {0}, {7, 8}, {9}, {{{1}, {2, 3}}, {{4}, {5}}}}};
  made.output = {0.25F};
  made.tokens = {0.5F, 0.125F};
  return made;
}

TEST(DecoderActivations, AreRestoredAsTheyWere) {
  const auto bytes = two_layers().saved();
  const auto back = DecoderActivations::restored(bytes);
  ASSERT_TRUE(back) << describe(back.error());
  ASSERT_EQ(back->layers.size(), 2U);
  EXPECT_EQ(back->layers[0].context, (std::vector<float>{3, 4, 5}));
  EXPECT_TRUE(back->layers[0].mlp_hidden.empty());
  EXPECT_EQ(back->layers[1].attention, (std::vector<float>{-1.5F}));
  EXPECT_EQ(back->layers[1].mlp, (std::vector<float>{7, 8}));
  ASSERT_EQ(back->layers[1].experts.size(), 2U);
  EXPECT_EQ(back->layers[1].experts[0].mlp_hidden, (std::vector<float>{2, 3}));
  EXPECT_EQ(back->layers[1].experts[1].mlp, (std::vector<float>{4}));
  EXPECT_EQ(back->output, (std::vector<float>{0.25F}));
  EXPECT_EQ(back->tokens, (std::vector<float>{0.5F, 0.125F}));
  EXPECT_TRUE(back->positions.empty());
}

// All matrices of a gated delta net but the last one read what attention would.
TEST(DecoderActivations, AreThoseOfEveryMatrixThatMixesTokens) {
  const DecoderActivations made = two_layers();
  using enum DecoderRole;
  for (const DecoderRole role :
       {Query, QueryKeyValue, MixerInput, MixerGate, MixerBeta, MixerStep}) {
    EXPECT_EQ(made.input_of(role, 0).data(), made.layers[0].attention.data());
  }
  EXPECT_EQ(made.input_of(MixerOutput, 1).data(), made.layers[1].context.data());
}

TEST(DecoderActivations, RefuseBytesThatAreCutOrTooMany) {
  auto bytes = two_layers().saved();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecoderActivations::restored(Bytes(bytes).first(size))) << size;
  }
  bytes.push_back(0);
  EXPECT_FALSE(DecoderActivations::restored(bytes));
}

TEST(DecoderActivations, RefuseCountsThatTheBytesDoNotHave) {
  const std::vector<uint8_t> layers = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};
  EXPECT_FALSE(DecoderActivations::restored(layers));
  const std::vector<uint8_t> experts = {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};
  EXPECT_FALSE(DecoderActivations::restored(experts));
  const std::vector<uint8_t> values = {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f};
  EXPECT_FALSE(DecoderActivations::restored(values));
}

}  // namespace
}  // namespace ambry::model

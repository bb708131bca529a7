// Compares the scores after several layers with an independent float64 reference
// (tests/reference/models/layer_heads.py).
#include <gtest/gtest.h>

#include "infer/decoder/embedding/dense_chain.h"
#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;

SyntheticDecoder layerwise() { return SyntheticDecoder::read("minicpm_layers"); }

TEST(LayerHeads, EqualTheReference) {
  const SyntheticDecoder made = layerwise();
  Decoder decoder = made.build();
  const uint32_t first = decoder.config().first_ranked_layer;
  ASSERT_EQ(decoder.config().n_layer_heads(), made.logits.size());
  const uint32_t width = decoder.config().n_embd;
  for (uint32_t head = 0; head < decoder.config().n_layer_heads(); ++head) {
    DecoderRun run(decoder);
    run.pass().stop_after(first + head);
    ASSERT_TRUE(run.feed(made.ids, Logits::HiddenOfEach));
    for (size_t i = 0; i < made.ids.size(); ++i) {
      const auto hidden = run.pass().hidden().subspan(i * width, width);
      EXPECT_NEAR(rank_by_layer_head(decoder, head, hidden), made.logits[head][i], 1e-4)
          << "head " << head << ", position " << i;
    }
  }
}

TEST(LayerHeads, NeedNoWeightsOfTheLayersBehind) {
  const SyntheticDecoder made = layerwise();
  Decoder whole = made.build();
  DecoderRun expected(whole);
  expected.pass().stop_after(2);
  ASSERT_TRUE(expected.feed(made.ids, Logits::HiddenOfLast));

  // With room for a part at a time, a pass reads the parts that it runs.
  uint64_t least = 0;
  for (uint64_t resident = 10'000; least == 0; resident += 2'000) {
    if (made.try_build({KvType::F32, 0, resident})) least = resident;
  }
  ASSERT_LT(least, whole.weight_bytes());
  Decoder streamed = made.build({KvType::F32, 0, least});
  DecoderRun run(streamed, made.tensor_bytes());
  run.pass().stop_after(2);
  ASSERT_TRUE(run.feed(made.ids, Logits::HiddenOfLast));
  EXPECT_TRUE(std::ranges::equal(run.pass().hidden(), expected.pass().hidden()));
  EXPECT_EQ(run.pass().steps_done(), 1U + 2U * 2U);
}

TEST(LayerHeads, NeedATensorForEachLayer) {
  SyntheticDecoder made = layerwise();
  made.model.tensors[made.find("lm_head.3.linear_head.weight")].name = "lm_head.9.weight";
  const auto built = made.try_build();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::NotFound);
  EXPECT_NE(describe(built.error()).find("lm_head.3.linear_head.weight"), std::string::npos);
}

TEST(LayerHeads, GiveNoText) {
  const SyntheticDecoder made = layerwise();
  Decoder decoder = made.build();
  EXPECT_FALSE(decoder.makes_logits());
}

TEST(LayerHeads, BeginInTheModel) {
  SyntheticDecoder made = layerwise();
  io::Json reranker = *made.model.config.find("reranker");
  reranker.set("first_layer", 6U);
  made.model.config.set("reranker", std::move(reranker));
  io::Diagnostics diagnostics;
  const auto config = model::decoder_config(made.model, diagnostics);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::BadValue);
  EXPECT_EQ(config.error().path, "config.reranker");
}

}  // namespace
}  // namespace ambry::infer

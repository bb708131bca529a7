#include <gtest/gtest.h>

#include <string>

#include "model/decoder/decoder_config.h"

namespace ambry::model {
namespace {

Result<DecoderConfig> bidirectional_config(std::string_view architecture, std::string_view more) {
  Model model;
  const std::string text =
      concat({R"({"architecture": ")", architecture,
              R"(", "n_vocab": 16, "n_embd": 8, "n_layers": 2, "n_heads": 4, "n_ff": 12,
                 "max_seq_len": 32, "bidirectional_attention": true)",
              more, "}"});
  model.config = io::parse_json(text).value();
  io::Diagnostics diagnostics;
  return decoder_config(model, diagnostics);
}

TEST(BidirectionalConfig, KeepsAWindowOfWhichHalfIsShorterThanATextMayBe) {
  const auto window = [](uint32_t tokens) {
    const auto config =
        bidirectional_config("gemma3", concat({R"(, "head_dim": 2, "sliding_window": )", tokens}));
    EXPECT_TRUE(config) << describe(config.error());
    return config->sliding_window;
  };
  EXPECT_EQ(window(8), 8U);
  EXPECT_EQ(window(32), 32U);
  EXPECT_EQ(window(61), 61U);
  EXPECT_EQ(window(62), std::nullopt);  // 31 positions to either side are all of 32
}

TEST(BidirectionalConfig, NeedsRotaryPositionsOfFixedScale) {
  for (const auto& [architecture, more] :
       {std::pair{"mpt", ""}, std::pair{"gpt2", ""},
        std::pair{"lfm2", R"(, "conv_taps": 3, "layer_types": ["conv", "conv"])"},
        std::pair{"llama", R"(, "rope_scaling": {"rope_type": "dynamic", "factor": 2.0})"}}) {
    const auto config = bidirectional_config(architecture, more);
    ASSERT_FALSE(config) << architecture;
    EXPECT_EQ(config.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(config.error().path, "config.bidirectional_attention");
  }
}

}  // namespace
}  // namespace ambry::model

#include "model/decoder/layer_patterns.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

using Layers = std::vector<bool>;

constexpr uint32_t kLayers = 5;

io::Json parsed(std::string_view config) { return io::parse_json(config, 100, "config").value(); }

Result<Layers> local(std::string_view config, DecoderArchitecture architecture) {
  return local_layers(parsed(config), architecture_defaults(architecture), kLayers);
}

Result<Layers> rotated(std::string_view config, DecoderArchitecture architecture) {
  return rotated_layers(parsed(config), architecture_defaults(architecture), kLayers);
}

TEST(LayerPatterns, AreThoseOfTheArchitecture) {
  EXPECT_EQ(*local("{}", DecoderArchitecture::Llama), Layers());
  EXPECT_EQ(*local("{}", DecoderArchitecture::Gemma2), (Layers{true, false, true, false, true}));
  EXPECT_EQ(*local("{}", DecoderArchitecture::Gemma3), Layers(kLayers, true));
  EXPECT_EQ(*rotated("{}", DecoderArchitecture::Gemma3), Layers());
  EXPECT_EQ(*rotated("{}", DecoderArchitecture::SmolLm3), (Layers{true, true, true, false, true}));
}

TEST(LayerPatterns, AreANumberOrAList) {
  EXPECT_EQ(*local(R"({"sliding_window_pattern": 3})", DecoderArchitecture::Llama),
            (Layers{true, true, false, true, true}));
  EXPECT_EQ(*local(R"({"sliding_window_pattern": 0})", DecoderArchitecture::Gemma2), Layers());
  EXPECT_EQ(*local(R"({"layer_types": ["full_attention", "sliding_attention", "full_attention",
                       "full_attention", "sliding_attention"]})",
                   DecoderArchitecture::Gemma2),
            (Layers{false, true, false, false, true}));
  EXPECT_EQ(*rotated(R"({"no_rope_layers": [0, 1, true, false, 1]})", DecoderArchitecture::SmolLm3),
            (Layers{false, true, true, false, true}));
  EXPECT_EQ(*rotated(R"({"no_rope_layer_interval": 2})", DecoderArchitecture::Llama),
            (Layers{true, false, true, false, true}));
}

TEST(LayerPatterns, RefuseWhatTheyDoNotKnow) {
  struct Bad {
    const char* config;
    const char* path;
    ErrorCode code;
  };
  const Bad kBad[] = {
      {R"({"layer_types": ["full_attention"]})", "config.layer_types", ErrorCode::BadValue},
      {R"({"layer_types": "full_attention"})", "config.layer_types", ErrorCode::BadValue},
      {R"({"layer_types": ["full_attention", "chunked_attention", "", "", ""]})",
       "config.layer_types", ErrorCode::Unsupported},
      {R"({"layer_types": [1, 1, 1, 1, 1]})", "config.layer_types", ErrorCode::Unsupported},
      {R"({"sliding_window_pattern": -1})", "config.sliding_window_pattern", ErrorCode::BadValue},
      {R"({"no_rope_layers": [1, 1, 1, 1, 2]})", "config.no_rope_layers", ErrorCode::BadValue},
      {R"({"no_rope_layers": [1]})", "config.no_rope_layers", ErrorCode::BadValue},
      {R"({"no_rope_layer_interval": []})", "config.no_rope_layer_interval", ErrorCode::BadValue}};
  for (const Bad& bad : kBad) {
    auto found = local(bad.config, DecoderArchitecture::Llama);
    if (found) found = rotated(bad.config, DecoderArchitecture::Llama);
    ASSERT_FALSE(found) << bad.config;
    EXPECT_EQ(found.error().code, bad.code) << bad.config;
    EXPECT_EQ(found.error().path, bad.path) << bad.config;
    EXPECT_GE(found.error().byte_offset, 100U) << bad.config;
  }
  const auto unknown =
      local(R"({"layer_types": ["full_attention", "chunked_attention", "", "", ""]})",
            DecoderArchitecture::Llama);
  EXPECT_NE(unknown.error().message.find("layer 1 is \"chunked_attention\""), std::string::npos)
      << unknown.error().message;
}

TEST(LayerPatterns, SayWhatEachLayerIs) {
  using enum LayerKind;
  const auto kinds = [](std::string_view config, DecoderArchitecture architecture) {
    return layer_kinds(parsed(config), architecture_defaults(architecture), kLayers);
  };
  constexpr const char* kMixed = R"({"layer_types": ["conv", "full_attention", "conv",
      "sliding_attention", "conv"]})";
  EXPECT_EQ(*kinds(kMixed, DecoderArchitecture::Lfm2),
            (std::vector<LayerKind>{ShortConvolution, Attention, ShortConvolution, Attention,
                                    ShortConvolution}));
  EXPECT_EQ(*local(kMixed, DecoderArchitecture::Lfm2), (Layers{false, false, false, true, false}));
  EXPECT_TRUE(kinds("{}", DecoderArchitecture::Llama)->empty());
  const auto unstated = kinds("{}", DecoderArchitecture::Lfm2);
  ASSERT_FALSE(unstated);
  EXPECT_EQ(unstated.error().code, ErrorCode::NotFound);
  EXPECT_EQ(unstated.error().path, "config.layer_types");
  const auto foreign = kinds(kMixed, DecoderArchitecture::Llama);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().message,
            "layer 0 is \"conv\"; supported are sliding_attention, full_attention");
  const auto unknown = kinds(R"({"layer_types": ["conv", "linear_attention", "", "", ""]})",
                             DecoderArchitecture::Lfm2);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "layer 1 is \"linear_attention\"; supported are sliding_attention, full_attention, "
            "conv");
}

TEST(LayerPatterns, HaveTheParametersOfXielu) {
  const auto made = xielu_layers(parsed(R"({"xielu": {"alpha_p": [1, 2], "alpha_n": [3, 4],
    "beta": [0.5, 0.25], "eps": [-1, -2]}})"),
                                 2);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(*made, (std::vector<XieluParameters>{{1, 3, 0.5, -1}, {2, 4, 0.25, -2}}));
  const std::pair<const char*, const char*> kBad[] = {
      {"{}", "config.xielu"},
      {R"({"xielu": []})", "config.xielu"},
      {R"({"xielu": {}})", "config.xielu.alpha_p"},
      {R"({"xielu": {"alpha_p": [1]}})", "config.xielu.alpha_p"},
      {R"({"xielu": {"alpha_p": [1, "2"]}})", "config.xielu.alpha_p"},
      {R"({"xielu": {"alpha_p": [1, 2], "alpha_n": 1}})", "config.xielu.alpha_n"}};
  for (const auto& [config, path] : kBad) {
    const auto refused = xielu_layers(parsed(config), 2);
    ASSERT_FALSE(refused) << config;
    EXPECT_EQ(refused.error().path, path);
  }
}

}  // namespace
}  // namespace ambry::model

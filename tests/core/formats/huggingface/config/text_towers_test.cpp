// What published directories of CLIP and SigLIP state.
#include "formats/huggingface/config/encoders/text_towers.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/encoder_config_json.h"

namespace ambry::formats::huggingface {
namespace {

Result<model::EncoderConfig> read_tower(const std::string& text) {
  const io::Json json = io::parse_json(text).value();
  const auto half = text_half(json);
  model::EncoderConfig config;
  AMBRY_RETURN_IF_ERROR(read_encoder_config(
      FileValues(half ? "config.json.text_config" : "config.json", half ? *half : json), config));
  return config;
}

void expect_sizes(const Result<model::EncoderConfig>& read, uint32_t layers, uint32_t heads,
                  uint32_t width, uint32_t inner, uint32_t embedding) {
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->num_layers, layers);
  EXPECT_EQ(read->num_heads, heads);
  EXPECT_EQ(read->hidden_size, width);
  EXPECT_EQ(read->intermediate_size, inner);
  EXPECT_EQ(read->embedding_size(), embedding);
  EXPECT_EQ(read->pooling, "lasttoken");
}

// openai/clip-vit-base-patch32, clip-vit-large-patch14 and laion/CLIP-ViT-H-14-laion2B-s32B-b79K.
TEST(TextTowers, ReadTheHalfForTextsOfClip) {
  const auto base = read_tower(R"({"architectures":["CLIPModel"],"model_type":"clip",
    "logit_scale_init_value":2.6592,"projection_dim":512,"text_config_dict":null,"text_config":{
    "bos_token_id":0,"eos_token_id":2,"hidden_act":"quick_gelu","hidden_size":512,
    "intermediate_size":2048,"layer_norm_eps":1e-05,"max_position_embeddings":77,
    "model_type":"clip_text_model","num_attention_heads":8,"num_hidden_layers":12,
    "vocab_size":49408},"vision_config":{"hidden_size":768}})");
  expect_sizes(base, 12, 8, 512, 2048, 512);
  EXPECT_EQ(base->hidden_act, "quick_gelu");
  EXPECT_EQ(base->vocab_size, 49408U);
  EXPECT_EQ(base->max_positions, 77U);
  EXPECT_TRUE(base->facts.causal);
  const auto large = read_tower(R"({"model_type":"clip","projection_dim":768,"text_config_dict":{
    "hidden_size":768,"intermediate_size":3072,"num_attention_heads":12,"num_hidden_layers":12,
    "projection_dim":768},"text_config":{"hidden_size":512,"num_attention_heads":8}})");
  expect_sizes(large, 12, 12, 768, 3072, 768);
  const auto laion = read_tower(R"({"model_type":"clip","projection_dim":1024,"text_config":{
    "hidden_act":"gelu","hidden_size":1024,"intermediate_size":4096,"num_attention_heads":16,
    "num_hidden_layers":24,"projection_dim":512,"model_type":"clip_text_model"}})");
  expect_sizes(laion, 24, 16, 1024, 4096, 1024);
  EXPECT_EQ(laion->hidden_act, "gelu");
  EXPECT_FALSE(laion->dense[0].bias);
}

// google/siglip-base-patch16-224, siglip-so400m-patch14-384 and siglip2-base-patch16-224.
TEST(TextTowers, ReadTheHalfForTextsOfSiglip) {
  const auto base = read_tower(R"({"model_type":"siglip","architectures":["SiglipModel"],
    "text_config":{"model_type":"siglip_text_model"},"vision_config":{}})");
  expect_sizes(base, 12, 12, 768, 3072, 768);
  EXPECT_EQ(base->vocab_size, 32000U);
  EXPECT_EQ(base->max_positions, 64U);
  EXPECT_EQ(base->hidden_act, "gelu_pytorch_tanh");
  EXPECT_EQ(base->layer_norm_eps, 1e-6);
  EXPECT_TRUE(base->facts.filled);
  EXPECT_TRUE(base->dense[0].bias);
  const auto large = read_tower(R"({"model_type":"siglip","text_config":{"hidden_size":1152,
    "intermediate_size":4304,"num_attention_heads":16,"num_hidden_layers":27}})");
  expect_sizes(large, 27, 16, 1152, 4304, 1152);
  const auto second = read_tower(R"({"model_type":"siglip2","text_config":{"vocab_size":256000,
    "projection_size":768,"model_type":"siglip2_text_model"}})");
  expect_sizes(second, 12, 12, 768, 3072, 768);
  EXPECT_EQ(second->vocab_size, 256000U);
}

TEST(TextTowers, HalvesAloneStateWhetherTheyProject) {
  const auto with = read_tower(R"({"model_type":"clip_text_model","projection_dim":640,
    "architectures":["CLIPTextModelWithProjection"]})");
  expect_sizes(with, 12, 8, 512, 2048, 640);
  const auto without = read_tower(R"({"model_type":"clip_text_model",
    "architectures":["CLIPTextModel"]})");
  expect_sizes(without, 12, 8, 512, 2048, 512);
  EXPECT_TRUE(without->dense.empty());
  EXPECT_FALSE(text_half(io::parse_json(R"({"model_type":"bert"})").value()));
}

TEST(TextTowers, RefuseWhatIsNoNumberOrNoActivation) {
  const auto error_of = [](const char* text) {
    auto read = read_tower(text);
    return read ? std::string() : read.error().path;
  };
  EXPECT_EQ(error_of(R"({"model_type":"clip","projection_dim":0})"),
            "config.json.text_config.projection_dim");
  EXPECT_EQ(error_of(R"({"model_type":"siglip","text_config":{"hidden_act":"silu"}})"),
            "config.json.text_config.hidden_act");
}

}  // namespace
}  // namespace ambry::formats::huggingface

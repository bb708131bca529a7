// A switch of config.json that states biases which the tensors lack.
#include <gtest/gtest.h>

#include <string>

#include "convert/decoder/decoder_directory.h"

namespace ambry::convert {
namespace {

using testing::DecoderDirectory;
using testing::to;

constexpr const char* kConvolutions =
    R"({"model_type":"lfm2","vocab_size":10,"hidden_size":8,"num_hidden_layers":2,
  "num_attention_heads":2,"num_key_value_heads":1,"block_auto_adjust_ff_dim":false,
  "block_multiple_of":1,"intermediate_size":12,"max_position_embeddings":32,
  "layer_types":["conv","full_attention"],"conv_bias":)";
constexpr const char* kMamba =
    R"({"model_type":"granitemoehybrid","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,
  "num_attention_heads":2,"num_key_value_heads":1,"shared_intermediate_size":12,
  "layer_types":["mamba"],"mamba_n_heads":4,"mamba_d_state":3,"mamba_n_groups":1,
  "max_position_embeddings":32,"mamba_proj_bias":)";

std::string llama(const std::string& type) {
  return R"({"model_type":")" + type + R"(","vocab_size":10,"hidden_size":8,"num_hidden_layers":1,
  "num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":12,
  "max_position_embeddings":32,"attention_bias":true})";
}

Result<std::string> path_of_fault(const DecoderDirectory& directory) {
  const auto made = testing::run(directory.weights(), directory.files, to("amb"));
  if (made) return std::string();
  EXPECT_EQ(made.error().code, ErrorCode::NotFound) << describe(made.error());
  return made.error().path + ": " + made.error().message;
}

TEST(StatedBiases, OfConvolutionsMustBeThere) {
  EXPECT_EQ(*path_of_fault(DecoderDirectory::make(std::string(kConvolutions) + "false}", "model.")),
            "");
  auto directory = DecoderDirectory::make(std::string(kConvolutions) + "true}", "model.");
  EXPECT_EQ(*path_of_fault(directory),
            "config.json.conv_bias: turned on, but the tensor model.layers.0.conv.in_proj.bias is "
            "missing");
  directory.add("model.layers.0.conv.in_proj.bias", {24});
  directory.add("model.layers.0.conv.conv.bias", {8});
  EXPECT_EQ(*path_of_fault(directory),
            "config.json.conv_bias: turned on, but the tensor model.layers.0.conv.out_proj.bias is "
            "missing");
  directory.add("model.layers.0.conv.out_proj.bias", {8});
  EXPECT_EQ(*path_of_fault(directory), "");
}

TEST(StatedBiases, OfStateSpacesMustBeThere) {
  const auto directory = DecoderDirectory::make(std::string(kMamba) + "true}", "model.");
  EXPECT_EQ(*path_of_fault(directory),
            "config.json.mamba_proj_bias: turned on, but the tensor "
            "model.layers.0.mamba.in_proj.bias is missing");
}

TEST(StatedBiases, OfTheOutputOfAttentionMustBeThere) {
  auto directory = DecoderDirectory::make(llama("llama"), "model.");
  EXPECT_EQ(*path_of_fault(directory),
            "config.json.attention_bias: turned on, but the tensor "
            "model.layers.0.self_attn.o_proj.bias is missing");
  directory.add("model.layers.0.self_attn.o_proj.bias", {8});
  EXPECT_EQ(*path_of_fault(directory), "");
  // The code of this one gives its output no bias.
  EXPECT_EQ(*path_of_fault(DecoderDirectory::make(llama("qwen2"), "model.")), "");
}

}  // namespace
}  // namespace ambry::convert

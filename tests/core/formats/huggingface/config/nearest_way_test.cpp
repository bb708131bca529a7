// What a directory that does not open is told.
#include "formats/huggingface/config/nearest_way.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/config/encoder_config_json.h"

namespace ambry::formats::huggingface {
namespace {

Error encoder_error(const std::string& text) {
  const io::Json json = io::parse_json(text).value();
  model::EncoderConfig config;
  auto read = read_encoder_config(FileValues("config.json", json), config);
  EXPECT_FALSE(read) << text;
  return read ? Error() : Error(read.take_error());
}

Error decoder_error(const std::string& text) {
  SideFiles files;
  files.add("config.json", text);
  auto read = read_decoder_config(files, "");
  EXPECT_FALSE(read) << text;
  return read ? Error() : Error(read.take_error());
}

void expect_said(const Error& error, std::string_view path, std::string_view said) {
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, path);
  EXPECT_NE(error.message.find(said), std::string::npos) << error.message;
}

TEST(NearestWay, OfTypesThatAreNotKnown) {
  struct Row {
    const char* config;
    const char* said;
  };
  const Row rows[] = {
      {R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text"},"vision_config":{}})",
       "the model takes pictures beside text; the GGUF of its text part (gemma3_text) opens"},
      {R"({"model_type":"qwen2_audio","text_config":{"model_type":"x"},"audio_config":{}})",
       "takes sound beside text, and its text part, of type \"x\", is not supported either"},
      {R"({"model_type":"dbrx","num_local_experts":8})", "models with experts"},
      {R"({"model_type":"bart","is_encoder_decoder":true})", "but for the encoder of t5"},
      {R"({"model_type":"own","auto_map":{"AutoConfig":"c.C","AutoModel":"modeling_own.Own"}})",
       "code of its own, modeling_own.Own"},
      {R"({"model_type":"own","num_experts":8,"auto_map":{"AutoModelForCausalLM":"m.Own"}})",
       "models with experts do not run here, but for those of a few architectures; the model runs "
       "code of its own, m.Own"},
      {R"({"model_type":"own","architectures":["OwnForCausalLM"]})", "a GGUF of the model"},
      {R"({"model_type":"own","num_local_experts":0,"mamba_d_state":16})", "state space"},
      {R"({"model_type":"megatron-bert"})", "docs/what-opens.md"}};
  for (const auto& [config, said] : rows) {
    expect_said(encoder_error(config), "config.json.model_type", said);
    expect_said(decoder_error(config), "config.json.model_type", said);
    EXPECT_LT(encoder_error(config).message.size(), 260U);
  }
}

// Keys of published models' config.json, as their repositories show them.
TEST(NearestWay, OfPublishedModels) {
  struct Row {
    const char* repository;
    const char* config;
    const char* said;
  };
  const Row rows[] = {
      {"Qwen/Qwen3-VL-4B-Instruct",
       R"({"architectures":["Qwen3VLForConditionalGeneration"],"image_token_id":151655,
         "model_type":"qwen3_vl","text_config":{"head_dim":128,"model_type":"qwen3_vl_text"},
         "tie_word_embeddings":true,"vision_config":{"depth":24,"model_type":"qwen3_vl"}})",
       "takes pictures beside text, and its text part, of type \"qwen3_vl_text\""},
      {"HuggingFaceTB/SmolVLM2-500M-Video-Instruct",
       R"({"architectures":["SmolVLMForConditionalGeneration"],"image_token_id":49190,
         "model_type":"smolvlm","scale_factor":4,"text_config":{"model_type":"llama"},
         "vision_config":{"model_type":"smolvlm_vision"}})",
       "the GGUF of its text part (llama) opens"},
      {"moonshotai/Kimi-VL-A3B-Instruct",
       R"({"architectures":["KimiVLForConditionalGeneration"],"model_type":"kimi_vl",
         "text_config":{"model_type":"deepseek_v3"},"vision_config":{"model_type":"moonvit"}})",
       "its text part, of type \"deepseek_v3\""},
      {"Zyphra/Zamba2-1.2B",
       R"({"architectures":["Zamba2ForCausalLM"],"model_type":"zamba2","hidden_size":2048,
         "layers_block_type":["mamba","hybrid"],"use_shared_attention_adapter":true,
         "mamba_d_state":128})",
       "state space"},
      {"an unknown relative of LFM2",
       R"({"architectures":["Lfm2OwnForCausalLM"],"model_type":"lfm2_own","conv_L_cache":3,
         "layer_types":["conv","conv","full_attention"],"conv_bias":false})",
       "convolution"},
      {"Qwen/Qwen3-Next-80B-A3B-Instruct",
       R"({"architectures":["Qwen3NextForCausalLM"],"model_type":"qwen3_next","num_experts":512,
         "linear_num_key_heads":16})",
       "models with experts"},
      {"state-spaces/mamba-130m-hf",
       R"({"architectures":["MambaForCausalLM"],"model_type":"mamba","state_size":16})",
       "state space"},
      {"openai/gpt-oss-20b",
       R"({"architectures":["GptOssForCausalLM"],"model_type":"gpt_oss","num_local_experts":32,
         "layer_types":["sliding_attention","full_attention"],
         "quantization_config":{"quant_method":"mxfp4"}})",
       "models with experts"},
      {"openai/whisper-tiny",
       R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper",
         "is_encoder_decoder":true})",
       "turn one text into another"},
      {"microsoft/bitnet-b1.58-2B-4T",
       R"({"architectures":["BitNetForCausalLM"],"model_type":"bitnet",
         "auto_map":{"AutoModelForCausalLM":"modeling_bitnet.BitNetForCausalLM"},
         "quantization_config":{"quant_method":"bitnet"}})",
       "code of its own, modeling_bitnet.BitNetForCausalLM"}};
  for (const auto& [repository, config, said] : rows) {
    SCOPED_TRACE(repository);
    expect_said(encoder_error(config), "config.json.model_type", said);
    expect_said(decoder_error(config), "config.json.model_type", said);
  }
}

TEST(NearestWay, NamesWhatHasQuantizedTheWeights) {
  struct Row {
    const char* config;
    const char* key;
    const char* said;
  };
  const Row rows[] = {
      {R"("quantization_config":{"quant_method":"mxfp4"})", "quantization_config", "by MXFP4"},
      {R"("quantization_config":{"quant_method":"modelopt"})", "quantization_config",
       "by NVIDIA's ModelOpt"},
      {R"("quantization":{"bits":4},"quantization_config":{"quant_method":"awq"})",
       "quantization_config", "by MLX and by awq"},
      {R"("quantization_config":{"quant_method":"hqq"})", "quantization_config", "by hqq"},
      {R"("quantization_config":{})", "quantization_config", "not stated"}};
  for (const auto& [config, key, said] : rows) {
    const std::string path = concat({"config.json.", key});
    expect_said(decoder_error(concat({R"({"model_type":"llama",)", config, "}"})), path, said);
    expect_said(encoder_error(concat({R"({"model_type":"bert",)", config, "}"})), path, said);
  }
}

TEST(NearestWay, OfLanguageModelsWithAHead) {
  expect_said(
      decoder_error(R"({"model_type":"qwen3","architectures":["Qwen3ForSequenceClassification"]})"),
      "config.json.architectures", "take the model that has its output of tokens");
  expect_said(
      decoder_error(R"({"model_type":"qwen2","architectures":["Qwen2ForTokenClassification"]})"),
      "config.json.architectures", "heads for tokens are supported on encoders");
}

}  // namespace
}  // namespace ambry::formats::huggingface

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
      {R"({"model_type":"mixtral","num_local_experts":8})", "models with experts"},
      {R"({"model_type":"bart","is_encoder_decoder":true})", "but for the encoder of t5"},
      {R"({"model_type":"own","auto_map":{"AutoConfig":"c.C","AutoModel":"modeling_own.Own"}})",
       "code of its own, modeling_own.Own"},
      {R"({"model_type":"own","num_experts":8,"auto_map":{"AutoModelForCausalLM":"m.Own"}})",
       "models with experts do not run here, but for nomic's encoder; the model runs code of its "
       "own, m.Own"},
      {R"({"model_type":"lfm2","architectures":["Lfm2ForCausalLM"]})", "a GGUF of the model"},
      {R"({"model_type":"megatron-bert"})", "docs/what-opens.md"}};
  for (const auto& [config, said] : rows) {
    expect_said(encoder_error(config), "config.json.model_type", said);
    expect_said(decoder_error(config), "config.json.model_type", said);
    EXPECT_LT(encoder_error(config).message.size(), 260U);
  }
}

TEST(NearestWay, NamesWhatHasQuantizedTheWeights) {
  struct Row {
    const char* config;
    const char* key;
    const char* said;
  };
  const Row rows[] = {
      {R"("quantization":{"group_size":64,"bits":4})", "quantization", "by MLX"},
      {R"("quantization":{"group_size":64,"bits":4},"quantization_config":{"group_size":64})",
       "quantization", "by MLX"},
      {R"("quantization_config":{"quant_method":"gptq","bits":4})", "quantization_config",
       "by GPTQ"},
      {R"("quantization_config":{"quant_method":"awq"})", "quantization_config", "by AWQ"},
      {R"("quantization_config":{"load_in_4bit":true})", "quantization_config", "by bitsandbytes"},
      {R"("quantization_config":{"quant_method":"fp8"})", "quantization_config", "by FP8"},
      {R"("quantization_config":{"quant_method":"compressed-tensors"})", "quantization_config",
       "by compressed-tensors"},
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

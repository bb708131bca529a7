// What the files beside a graph must be, and what is said of those that are not.
#include <gtest/gtest.h>

#include <string>

#include "convert/onnx/onnx_encoder_case.h"

namespace ambry::convert {
namespace {

using testing::OnnxEncoderCase;

// The case with another value in its config.json.
OnnxEncoderCase with(const std::string& name, const char* key, const io::Json& value) {
  OnnxEncoderCase of = OnnxEncoderCase::read(name);
  of.of.config_json.set(key, value);
  of.side = testing::side_files(of.of);
  return of;
}

Error error_of(const OnnxEncoderCase& of) {
  const auto file = of.convert();
  EXPECT_FALSE(file);
  return file ? Error() : file.error();
}

TEST(OnnxEncoderFaults, AnotherConfigIsRefusedAtTheNodeThatDiffers) {
  struct Row {
    const char* key;
    io::Json value;
    const char* message;
  };
  const Row rows[] = {
      {"layer_norm_eps", io::Json(1e-5), "epsilon"},
      {"hidden_act", io::Json("gelu_new"), "activation"},
      {"num_attention_heads", io::Json(2), "head"},
      {"num_hidden_layers", io::Json(1), "expected"},
      {"num_hidden_layers", io::Json(3), "expected"},
  };
  for (const Row& row : rows) {
    const Error error = error_of(with("bert_opset11", row.key, row.value));
    EXPECT_EQ(error.code, ErrorCode::Unsupported) << row.key;
    EXPECT_NE(error.byte_offset, kNoOffset) << row.key;
    EXPECT_NE(error.message.find(row.message), std::string::npos) << describe(error);
  }
}

TEST(OnnxEncoderFaults, RotaryPositionsAndWindowsMustBeThoseOfConfig) {
  const std::pair<const char*, io::Json> rows[] = {{"global_rope_theta", 10'000.0},
                                                   {"local_rope_theta", 20'000.0},
                                                   {"local_attention", 6},
                                                   {"global_attn_every_n_layers", 3}};
  for (const auto& [key, value] : rows) {
    const Error error = error_of(with("modernbert_opset17", key, value));
    EXPECT_EQ(error.code, ErrorCode::Unsupported) << describe(error);
  }
}

TEST(OnnxEncoderFaults, BucketsAndPaddingMustBeThoseOfConfig) {
  EXPECT_FALSE(with("mpnet_opset12", "relative_attention_num_buckets", io::Json(16)).convert());
  EXPECT_FALSE(with("roberta_opset14", "pad_token_id", io::Json(2)).convert());
}

TEST(OnnxEncoderFaults, OtherArchitecturesAreRefusedByName) {
  const Error error = error_of(with("bert_opset11", "model_type", io::Json("electra")));
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("electra"), std::string::npos) << describe(error);
}

TEST(OnnxEncoderFaults, PoolingInTheGraphMustBeTheStatedOne) {
  OnnxEncoderCase of = OnnxEncoderCase::read("bert_sentence");
  of.side.add("modules.json", R"([{"idx":0,"name":"0","path":"","type":
"sentence_transformers.models.Transformer"},{"idx":1,"name":"1","path":"1_Pooling","type":
"sentence_transformers.models.Pooling"},{"idx":2,"name":"2","path":"2_Normalize","type":
"sentence_transformers.models.Normalize"}])");
  of.side.add("1_Pooling/config.json",
              R"({"word_embedding_dimension":36,"pooling_mode_mean_tokens":true})");
  EXPECT_TRUE(of.convert());
  of.side.add("1_Pooling/config.json",
              R"({"word_embedding_dimension":36,"pooling_mode_cls_token":true})");
  const Error error = error_of(of);
  EXPECT_NE(error.message.find("pooling"), std::string::npos) << describe(error);
}

TEST(OnnxEncoderFaults, AMissingFileOfWeightsIsNamed) {
  const OnnxEncoderCase of = OnnxEncoderCase::read("bert_opset11");
  const auto file = testing::run(of.graph, of.side, testing::to("embd"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::NotFound);
  EXPECT_EQ(file.error().path, "weights");
}

TEST(OnnxEncoderFaults, AShortFileOfWeightsIsTruncated) {
  OnnxEncoderCase of = OnnxEncoderCase::read("bert_opset11");
  of.weights.resize(of.weights.size() - 4);
  EXPECT_EQ(error_of(of).code, ErrorCode::Truncated);
}

}  // namespace
}  // namespace ambry::convert

// GGUF files that become ALT and EMBD.
#include <gtest/gtest.h>

#include "convert/gguf/convert_gguf.h"
#include "convert/gguf/from_gguf.h"
#include "convert/gguf/gguf_models.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using tensor::DType;

TEST(GgufToAlt, WritesVersionOne) {
  std::vector<Error> warnings;
  gg::GgufMaker maker = mistral();
  const GgufConversion made = converted_gguf(maker, to("alt", DType::F16), &warnings);
  EXPECT_EQ(made.target.version, "v1");
  EXPECT_EQ(made.target.tokenizer->vocabulary, made.source.tokenizer->vocabulary);
  EXPECT_EQ(made.target.tokenizer->bos_id, 1U);
  io::Diagnostics found;
  const auto facts = model::decoder_config(made.target, found);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->n_kv_heads, 1U);
  EXPECT_EQ(facts->max_seq_len, 16U);
  EXPECT_EQ(facts->rope_freq_base, 5000);
  EXPECT_EQ(made.target.tensors.size(), 12U);
  // ALT cannot store the name and licence, which gives a warning.
  EXPECT_TRUE(std::ranges::any_of(
      warnings, [](const Error& e) { return e.path == "metadata.general.license"; }));
}

TEST(GgufToAlt, ReordersTheRowsOfQueryAndKey) {
  const GgufConversion made = converted_gguf(mistral(), to("alt", DType::F32));
  EXPECT_EQ(made.values("model.layers.0.self_attn.q_proj.weight"),
            halves(made.source_values("blk.0.attn_q.weight"), 32));
  EXPECT_EQ(made.values("lm_head.weight"), made.source_values("output.weight"));
}

TEST(GgufToAlt, ReportsWhatAltCannotStore) {
  EXPECT_EQ(gguf_refusal(phi3(), to("alt", DType::F32)).path, "config");
  EXPECT_EQ(gguf_refusal(llama(), to("alt")).code, ErrorCode::Unsupported);  // Q4_0
  gg::GgufMaker maker = mistral();
  maker.metadata.push_back(gg::text("tokenizer.chat_template", "x"));
  EXPECT_EQ(gguf_refusal(maker, to("alt", DType::F32)).path, "tokenizer.chat_template");
  maker = mistral();
  maker.entry("tokenizer.ggml.scores") =
      gg::numbers<float>("tokenizer.ggml.scores", ValueType::F32, {0, 0, 0, 0, -9, -2, -8, -1});
  EXPECT_EQ(gguf_refusal(maker, to("alt", DType::F32)).path, "tokenizer.scores");
  maker = mistral();
  maker.entry("tokenizer.ggml.token_type") =
      gg::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 3, 6, 1, 1, 1, 4});
  EXPECT_EQ(gguf_refusal(maker, to("alt", DType::F32)).path, "tokenizer.types");
}

TEST(GgufToEmbd, KeepsTheEncoderAndItsVocabulary) {
  const GgufConversion made = converted_gguf(bert(), to("embd"));
  EXPECT_EQ(made.target.tensors.size(), made.source.tensors.size());
  EXPECT_EQ(made.target.tokenizer->vocabulary, made.source.tokenizer->vocabulary);
  EXPECT_EQ(made.target.tokenizer->cls_id, 2U);
  io::Diagnostics found;
  const auto facts = model::encoder_config(made.target, found);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(facts->num_heads, 2U);
  EXPECT_EQ(facts->pooling, "cls");
  EXPECT_EQ(facts->layer_norm_eps, 1e-5);
  EXPECT_EQ(facts->max_seq_length, 16U);
  EXPECT_EQ(made.values("encoder.layer.0.attention.self.query.weight"),
            made.source_values("blk.0.attn_q.weight"));
  EXPECT_EQ(made.values("encoder.layer.0.output.LayerNorm.bias"),
            made.source_values("blk.0.layer_output_norm.bias"));
  EXPECT_EQ(made.target.metadata.find("general.license")->string(), "mit");
}

TEST(GgufToEmbd, DequantizesToTheRequestedDtype) {
  gg::GgufMaker maker = bert();
  for (gg::Tensor& tensor : maker.tensors) {
    if (tensor.type == kF16) tensor.type = kQ8;
  }
  EXPECT_EQ(gguf_refusal(maker, to("embd")).code, ErrorCode::Unsupported);
  const GgufConversion made = converted_gguf(maker, to("embd", DType::F32));
  EXPECT_EQ(made.values("encoder.layer.0.intermediate.dense.weight"),
            made.source_values("blk.0.ffn_up.weight"));
  EXPECT_EQ(gguf_refusal(llama(), to("embd")).path, "metadata.general.architecture");
}

}  // namespace
}  // namespace ambry::convert

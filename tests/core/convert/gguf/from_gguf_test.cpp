#include "convert/gguf/from_gguf.h"

#include <gtest/gtest.h>

#include "convert/gguf/convert_gguf.h"
#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "model/decoder/decoder_config.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/files/sentencepiece_model.h"
#include "tensor/codec/blocks/blocks.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using tensor::DType;

TEST(GgufToAmb, KeepsCodesAndValuesUnderHuggingFacesNames) {
  const GgufConversion made = converted_gguf(llama(), to("amb"));
  EXPECT_EQ(made.target.tensors.size(), made.source.tensors.size());
  const std::string layer = "model.layers.0.";
  const std::pair<const char*, std::string> kNames[] = {
      {"token_embd.weight", "model.embed_tokens.weight"},
      {"blk.0.attn_norm.weight", layer + "input_layernorm.weight"},
      {"blk.0.attn_v.weight", layer + "self_attn.v_proj.weight"},
      {"blk.0.attn_output.weight", layer + "self_attn.o_proj.weight"},
      {"blk.0.ffn_norm.weight", layer + "post_attention_layernorm.weight"},
      {"blk.0.ffn_gate.weight", layer + "mlp.gate_proj.weight"},
      {"blk.0.ffn_up.weight", layer + "mlp.up_proj.weight"},
      {"blk.0.ffn_down.weight", layer + "mlp.down_proj.weight"},
      {"output_norm.weight", "model.norm.weight"},
      {"output.weight", "lm_head.weight"}};
  for (const auto& [from, name] : kNames) {
    EXPECT_EQ(made.values(name), made.source_values(from)) << name;
  }
  EXPECT_EQ(tensor_of(made.target, layer + "mlp.gate_proj.weight").dtype, DType::Int4Block);
  EXPECT_EQ(tensor_of(made.target, layer + "mlp.up_proj.weight").dtype, DType::Int5Block);
  EXPECT_EQ(tensor_of(made.target, layer + "mlp.down_proj.weight").dtype, DType::Int8);
  EXPECT_EQ(tensor_of(made.target, "lm_head.weight").dtype, DType::BF16);
}

TEST(GgufToAmb, ReordersQueryAndKeyRowsToHalves) {
  const GgufConversion made = converted_gguf(llama(), to("amb"));
  EXPECT_EQ(made.values("model.layers.0.self_attn.q_proj.weight"),
            halves(made.source_values("blk.0.attn_q.weight"), 32));
  EXPECT_EQ(made.values("model.layers.0.self_attn.k_proj.weight"),
            halves(made.source_values("blk.0.attn_k.weight"), 32));
  EXPECT_EQ(made.target.config.find("rope_style"), nullptr);
}

TEST(GgufToAmb, StatesTheFactsOfEveryArchitecture) {
  for (const gg::GgufMaker& maker : {llama(), gemma(), phi2(), phi3(), gpt2()}) {
    const GgufConversion made = converted_gguf(maker, to("amb"));
    io::Diagnostics found;
    const auto facts = model::decoder_config(made.target, found);
    ASSERT_TRUE(facts) << describe(facts.error());
    const auto stated = made.source.metadata.find("general.architecture")->string();
    EXPECT_EQ(architecture_name(facts->architecture), stated);
    EXPECT_EQ(facts->n_vocab, 8U);
    EXPECT_EQ(facts->n_embd, 32U);
    EXPECT_EQ(facts->n_ff, 64U);
    EXPECT_EQ(facts->head_dim, 16U);
    EXPECT_EQ(facts->max_seq_len, 16U);
    EXPECT_EQ(facts->norm_eps, 1e-5);
    EXPECT_EQ(facts->rope_style, model::RopeStyle::Half);
    EXPECT_EQ(made.target.metadata.find("name")->string(), "tiny");
    EXPECT_EQ(made.target.metadata.find("general.license")->string(), "mit");
    EXPECT_EQ(facts->rope_freq_base, stated == "llama" ? 5000 : 10'000);
    EXPECT_EQ(facts->norm_offset, 0);  // gemma's files include it
    EXPECT_EQ(facts->partial_rotary_factor, stated == "phi2" ? 0.5 : 1);
  }
}

TEST(GgufToAmb, SplitsPhi2sJoinedTensor) {
  const GgufConversion made = converted_gguf(phi2(), to("amb"));
  const std::vector<float> joined = made.source_values("blk.0.attn_qkv.weight");
  std::vector<float> parts;
  for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
    const std::string full = std::string("model.layers.0.self_attn.") + name;
    EXPECT_EQ(tensor_of(made.target, full + ".weight").dtype, DType::Int4Block);
    const std::vector<float> values = made.values(full + ".weight");
    parts.insert(parts.end(), values.begin(), values.end());
    EXPECT_EQ(made.values(full + ".bias").size(), 32U);
  }
  EXPECT_EQ(parts, joined);
}

TEST(GgufToAmb, KeepsGpt2sMatricesAndStatesTheirLayout) {
  const GgufConversion made = converted_gguf(gpt2(), to("amb"));
  EXPECT_EQ(made.target.linear_layout, model::LinearLayout::OutIn);
  EXPECT_EQ(made.values("transformer.h.0.attn.c_attn.weight"),
            made.source_values("blk.0.attn_qkv.weight"));
}

TEST(GgufToAmb, BuildsASentencePieceModelFromItsTokens) {
  gg::GgufMaker maker = llama();
  maker.metadata.push_back(gg::text("tokenizer.chat_template", "{{ x }}"));
  const GgufConversion made = converted_gguf(maker, to("amb"));
  const model::TokenizerData& before = *made.source.tokenizer;
  const model::TokenizerData& after = *made.target.tokenizer;
  EXPECT_EQ(after.kind, model::TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(after.vocabulary, before.vocabulary);
  EXPECT_EQ(after.scores, before.scores);
  EXPECT_EQ(after.types, before.types);
  EXPECT_EQ(after.bos_id, 1U);
  EXPECT_EQ(after.eos_id, 2U);
  EXPECT_EQ(after.unk_id, 0U);
  EXPECT_EQ(after.pad_id, std::nullopt);
  const auto file = model::parse_sentencepiece_model(as_bytes(after.payload), 0, "tokenizer");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->byte_fallback);
  EXPECT_FALSE(file->add_dummy_prefix);
  EXPECT_FALSE(file->remove_extra_whitespaces);
  const io::Json& options = *made.target.config.find("tokenizer");
  EXPECT_TRUE(options.find("add_bos")->boolean());
  EXPECT_EQ(options.find("chat_template")->string(), "{{ x }}");
  ASSERT_EQ(after.added_tokens.size(), 4U);
  EXPECT_EQ(after.added_tokens[3].content, "<|user|>");
  EXPECT_FALSE(after.added_tokens[3].special);
  EXPECT_EQ(after.added_tokens, before.added_tokens);
}

// When read again, the file has the settings of the GGUF file.
TEST(GgufToAmb, KeepsTheTokenizersSettings) {
  gg::GgufMaker maker = gpt2();
  maker.entry("tokenizer.ggml.pre") = gg::text("tokenizer.ggml.pre", "llama-bpe");
  maker.metadata.push_back(gg::u32("tokenizer.ggml.eot_token_id", 1));
  const GgufConversion made = converted_gguf(maker, to("amb"));
  const model::TokenizerData& before = *made.source.tokenizer;
  const model::TokenizerData& after = *made.target.tokenizer;
  EXPECT_EQ(before.pretokenizer, "llama3");
  EXPECT_EQ(after.pretokenizer, "llama3");
  EXPECT_TRUE(after.ignore_merges);
  EXPECT_EQ(after.add_bos, true);
  EXPECT_EQ(after.add_bos, before.add_bos);
  EXPECT_EQ(before.eos_ids.size(), 2U);
  EXPECT_EQ(after.eos_ids, before.eos_ids);
}

// llama.cpp's converter writes a list for each layer where a model's config has one.
TEST(GgufToAmb, TakesListsThatAreTheSameInAllLayers) {
  const auto heads = [](const std::vector<uint32_t>& values, uint32_t n_layers) {
    gg::GgufMaker maker = llama();
    maker.entry("llama.block_count") = gg::u32("llama.block_count", n_layers);
    maker.entry("llama.attention.head_count") =
        gg::numbers("llama.attention.head_count", ValueType::U32, values);
    return maker;
  };
  EXPECT_EQ(converted_gguf(heads({2}, 1), to("amb")).target.config.find("n_heads")->uint(), 2U);
  const std::pair<std::vector<uint32_t>, ErrorCode> kBad[] = {
      {{2, 1}, ErrorCode::Unsupported},
      {{}, ErrorCode::Mismatch},
      {{2, 2, 2}, ErrorCode::Mismatch},
      {std::vector<uint32_t>(65, 2), ErrorCode::LimitExceeded}};
  for (const auto& [values, code] : kBad) {
    const Error error = gguf_refusal(heads(values, 2), to("amb"));
    EXPECT_EQ(error.code, code) << describe(error);
    EXPECT_EQ(error.path, "metadata.llama.attention.head_count");
  }
  EXPECT_NE(gguf_refusal(heads({2, 1}, 2), to("amb")).message.find("differs by layer"),
            std::string::npos);
}

TEST(GgufToAmb, NeedsTheEpsilonOfTheNorms) {
  gg::GgufMaker maker = llama();
  std::erase_if(maker.metadata,
                [](const gg::Entry& entry) { return entry.key.ends_with("_epsilon"); });
  const Error error = gguf_refusal(maker, to("amb"));
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.path, "metadata.llama.attention.layer_norm_rms_epsilon");
}

TEST(GgufToAmb, StatesThePreTokenizer) {
  const GgufConversion made = converted_gguf(gpt2(), to("amb"));
  const model::TokenizerData& tokenizer = *made.target.tokenizer;
  EXPECT_EQ(tokenizer.kind, model::TokenizerKind::Bpe);
  EXPECT_EQ(tokenizer.vocabulary, made.source.tokenizer->vocabulary);
  EXPECT_EQ(tokenizer.merges, made.source.tokenizer->merges);
  EXPECT_EQ(made.target.config.find("tokenizer")->find("pretokenizer")->string(), "gpt2");
  ASSERT_EQ(tokenizer.added_tokens.size(), 1U);
  EXPECT_TRUE(tokenizer.added_tokens[0].special);

  gg::GgufMaker maker = gpt2();
  maker.entry("tokenizer.ggml.pre") = gg::text("tokenizer.ggml.pre", "kimi-k2");
  const Error error = gguf_refusal(maker, to("amb"));
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "metadata.tokenizer.ggml.pre");
  Options lossy = to("amb");
  lossy.lossy = true;
  std::vector<Error> warnings;
  converted_gguf(maker, lossy, &warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "metadata.tokenizer.ggml.pre");
}

TEST(GgufToAmb, DequantizesBlocksWithAMinimumOnlyIfLossy) {
  gg::GgufMaker maker = llama();
  maker.tensors[7].type = kQ4WithMinimum;
  const Error error = gguf_refusal(maker, to("amb"));
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "blk.0.ffn_gate.weight");
  EXPECT_NE(error.message.find("q4_1"), error.message.npos);

  const GgufConversion floats = converted_gguf(maker, to("amb", DType::F32));
  const char* name = "model.layers.0.mlp.gate_proj.weight";
  EXPECT_EQ(tensor_of(floats.target, name).dtype, DType::F32);
  EXPECT_EQ(floats.values(name), floats.source_values("blk.0.ffn_gate.weight"));
  EXPECT_EQ(floats.values("model.layers.0.self_attn.q_proj.weight"),
            halves(floats.source_values("blk.0.attn_q.weight"), 32));

  Options lossy = to("amb");
  lossy.lossy = true;
  std::vector<Error> warnings;
  const GgufConversion lost = converted_gguf(maker, lossy, &warnings);
  EXPECT_EQ(tensor_of(lost.target, name).dtype, DType::F16);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "blk.0.ffn_gate.weight");
}

TEST(GgufToAmb, ConvertsRotaryFactorsToLongRope) {
  gg::GgufMaker maker = llama();
  maker.tensors.push_back({"rope_freqs.weight", {8}});
  File file = maker.make();
  const model::TensorEntry tensor = tensor_of(parsed(file, "gguf"), "rope_freqs.weight");
  for (size_t i = 0; i < 8; ++i) {
    store_le(file.data() + tensor.offset + 4 * i, 1.0F + static_cast<float>(i));
  }
  const auto made = run(file, {}, to("amb"));
  ASSERT_TRUE(made) << describe(made.error());
  io::Diagnostics found;
  const auto facts = model::decoder_config(parsed(*made, "amb"), found);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->rope_scaling.kind, model::RopeScaling::Kind::LongRope);
  EXPECT_EQ(facts->rope_scaling.long_factor, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(facts->rope_scaling.short_factor, facts->rope_scaling.long_factor);
  EXPECT_EQ(facts->rope_scaling.attention_factor, 1.0);
}

TEST(GgufToAmb, RefusesTokensWithoutARowInTheEmbedding) {
  gg::GgufMaker maker = llama();
  for (gg::Tensor& tensor : maker.tensors) {
    if (tensor.name == "token_embd.weight" || tensor.name == "output.weight") tensor.shape[0] = 6;
  }
  maker.metadata.push_back(gg::u32("llama.vocab_size", 6));
  const Error error = gguf_refusal(maker, to("amb"));
  EXPECT_TRUE(error.path.starts_with("tokenizer")) << describe(error);
  EXPECT_NE(error.message.find("the target will be invalid"), std::string::npos) << describe(error);
}

// Qwen3's norms of queries and keys: without them the model computes something else.
TEST(GgufToAmb, NeverLeavesOutWhatTheModelComputesWith) {
  Options lossy = to("amb");
  lossy.lossy = true;
  for (const char* name : {"blk.0.attn_q_norm.weight", "token_embd_norm.weight"}) {
    gg::GgufMaker maker = llama();
    maker.tensors.push_back({name, {16}});
    const Error error = gguf_refusal(maker, lossy);
    EXPECT_EQ(error.code, ErrorCode::Unsupported);
    EXPECT_EQ(error.path, name);
  }
  gg::GgufMaker maker = llama();
  maker.tensors.push_back({"cls.weight", {16}});
  std::vector<Error> warnings;
  converted_gguf(maker, lossy, &warnings);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(warnings[0].path, "cls.weight");
}

TEST(GgufToAmb, ReportsUnsupportedModels) {
  struct Row {
    const char* what;
    void (*spoil)(gg::GgufMaker& maker);
    ErrorCode code;
    const char* path;
  };
  const Row kRows[] = {
      {"another architecture",
       [](gg::GgufMaker& m) {
         m.entry("general.architecture") = gg::text("general.architecture", "mamba");
       },
       ErrorCode::Unsupported, "metadata.general.architecture"},
      {"experts", [](gg::GgufMaker& m) { m.metadata.push_back(gg::u32("llama.expert_count", 8)); },
       ErrorCode::NotFound, "metadata.llama.expert_used_count"},
      {"experts of another architecture",
       [](gg::GgufMaker& m) {
         for (gg::Entry& entry : m.metadata) {
           if (entry.key.starts_with("llama.")) entry.key.replace(0, 5, "qwen2");
         }
         m.entry("general.architecture") = gg::text("general.architecture", "qwen2");
         m.metadata.push_back(gg::u32("qwen2.expert_count", 8));
       },
       ErrorCode::Unsupported, "metadata.qwen2.expert_count"},
      {"an unknown tensor",
       [](gg::GgufMaker& m) { m.tensors.push_back({"blk.0.attn_sinks.weight", {2}}); },
       ErrorCode::Unsupported, "blk.0.attn_sinks.weight"},
      {"types that are only listed",
       [](gg::GgufMaker& m) { m.tensors[2] = {"blk.0.attn_q.weight", {32, 256}, 12}; },
       ErrorCode::Unsupported, "blk.0.attn_q.weight"},
      {"a long array",
       [](gg::GgufMaker& m) {
         m.metadata.push_back(
             gg::numbers<uint8_t>("x.charsmap", ValueType::U8, std::vector<uint8_t>(100)));
       },
       ErrorCode::Unsupported, "metadata.x.charsmap"}};
  for (const Row& row : kRows) {
    gg::GgufMaker maker = llama();
    row.spoil(maker);
    const Error error = gguf_refusal(maker, to("amb"));
    EXPECT_EQ(error.code, row.code) << row.what << describe(error);
    EXPECT_EQ(error.path, row.path) << row.what;
  }
}

TEST(GgufToAmb, ReportsAMissingTensorAndAWrongShape) {
  gg::GgufMaker maker = llama();
  std::erase_if(maker.tensors, [](const auto& t) { return t.name == "blk.0.ffn_up.weight"; });
  const Error missing = gguf_refusal(maker, to("amb"));
  EXPECT_NE(describe(missing).find("mlp.up_proj"), std::string::npos) << describe(missing);
  maker = llama();
  maker.tensors[9].shape = {32, 32};
  const Error wrong = gguf_refusal(maker, to("amb"));
  EXPECT_NE(describe(wrong).find("[32, 64]"), std::string::npos) << describe(wrong);
}

gg::GgufMaker mistral() { return plain_llama(kQ8); }

}  // namespace
}  // namespace ambry::convert

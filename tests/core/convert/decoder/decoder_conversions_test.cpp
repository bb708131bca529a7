// Converts decoders of every architecture from Hugging Face directories to AMB and ALT, and between
// these.
#include "convert/decoder/decoder_conversions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "convert/decoder/decoder_directory.h"
#include "data_files.h"

namespace ambry::convert {
namespace {

using testing::DecoderDirectory;
using testing::File;
using testing::read_strictly;
using testing::ReadBack;
using testing::to;

struct Architecture {
  const char* name;
  const char* prefix;
  const char* config;
};

constexpr const char* kLlama = R"({"model_type":"llama","vocab_size":10,"hidden_size":8,
  "num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":12,
  "max_position_embeddings":32,"rms_norm_eps":1e-6,"rope_theta":10000.0,"hidden_act":"silu",
  "tie_word_embeddings":false,"_name_or_path":"someone/tiny-llama"})";
constexpr const char* kMistral = R"({"model_type":"mistral","vocab_size":10,"hidden_size":8,
  "num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":12,
  "max_position_embeddings":32,"sliding_window":16,"rms_norm_eps":1e-5,"rope_theta":1000000.0})";

const Architecture kArchitectures[] = {
    {"llama", "model.", kLlama},
    {"mistral", "model.", kMistral},
    {"gemma", "model.", R"({"model_type":"gemma","vocab_size":10,"hidden_size":8,
      "num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":6,
      "intermediate_size":12,"max_position_embeddings":32,"hidden_act":"gelu"})"},
    {"phi2", "model.", R"({"model_type":"phi","vocab_size":10,"hidden_size":16,
      "num_hidden_layers":2,"num_attention_heads":2,"intermediate_size":12,
      "max_position_embeddings":32,"hidden_act":"gelu_new","partial_rotary_factor":0.5,
      "qk_layernorm":false,"layer_norm_eps":1e-5})"},
    {"phi3", "model.", R"({"model_type":"phi3","vocab_size":10,"hidden_size":8,
      "num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":4,"intermediate_size":12,
      "max_position_embeddings":64,"original_max_position_embeddings":32,
      "rope_scaling":{"type":"longrope","short_factor":[1.5],"long_factor":[2.5]}})"},
    {"gpt2", "transformer.", R"({"model_type":"gpt2","vocab_size":10,"n_embd":8,"n_layer":2,
      "n_head":2,"n_positions":16,"activation_function":"gelu_new","n_inner":null})"},
    {"falcon", "transformer.", R"({"model_type":"falcon","vocab_size":10,"hidden_size":8,
      "num_hidden_layers":2,"num_attention_heads":2,"multi_query":true,"parallel_attn":true,
      "bias":false,"alibi":false,"max_position_embeddings":32,"ffn_hidden_size":32})"},
    {"mpt", "transformer.", R"({"model_type":"mpt","vocab_size":10,"d_model":8,"n_layers":2,
      "n_heads":2,"max_seq_len":32,"expansion_ratio":4,"attn_config":{"alibi":true}})"},
};

DecoderDirectory directory_of(const Architecture& architecture) {
  std::string config = architecture.config;
  DecoderDirectory made;
  // gpt2 derives the feed-forward width from its tensors, but the table needs it.
  if (std::string_view(architecture.name) == "gpt2") {
    std::string stated = config;
    stated.replace(stated.find("null"), 4, "32");
    made = DecoderDirectory::make(stated, architecture.prefix);
    made.files.add("config.json", config);
    return made;
  }
  return DecoderDirectory::make(config, architecture.prefix);
}

// SentencePiece pieces like Llama's for ten tokens, as a tokenizer.json.
constexpr const char* kPieces = R"({"added_tokens":[
    {"id":0,"content":"<unk>","special":true},{"id":1,"content":"<s>","special":true},
    {"id":2,"content":"</s>","special":true}],
  "normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
    {"type":"Replace","pattern":{"String":" "},"content":"▁"}]},
  "pre_tokenizer":null,
  "decoder":{"type":"Sequence","decoders":[
    {"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},
    {"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]},
  "model":{"type":"BPE","unk_token":"<unk>","byte_fallback":true,"fuse_unk":true,
    "vocab":{"<unk>":0,"<s>":1,"</s>":2,"<0x00>":3,"ab":4,"▁ab":5,"a":6,"b":7,"▁":8,"c":9},
    "merges":["a b","▁ ab"]}})";

void add_pieces(DecoderDirectory& directory) {
  directory.files.add("tokenizer.json", kPieces);
  directory.files.add("tokenizer_config.json",
                      R"({"bos_token":"<s>","eos_token":{"content":"</s>"},"unk_token":"<unk>"})");
}

TEST(DecoderConversions, ConvertEveryArchitectureToAmb) {
  for (const Architecture& architecture : kArchitectures) {
    SCOPED_TRACE(architecture.name);
    const DecoderDirectory directory = directory_of(architecture);
    const ReadBack made =
        read_strictly(testing::run(directory.weights(), directory.files, to("amb")), "amb");
    ASSERT_EQ(made.model.tensors.size(), directory.tensors.size());
    for (const auto& tensor : directory.tensors) {
      EXPECT_EQ(testing::stored(made.floats(tensor.name)), tensor.data) << tensor.name;
    }
    io::Diagnostics found;
    const auto facts = model::decoder_config(made.model, found);
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_EQ(architecture_name(facts->architecture), architecture.name);
  }
}

model::DecoderConfig facts_of(const char* name) {
  for (const Architecture& architecture : kArchitectures) {
    if (std::string_view(architecture.name) != name) continue;
    const DecoderDirectory directory = directory_of(architecture);
    const ReadBack made =
        read_strictly(testing::run(directory.weights(), directory.files, to("amb")), "amb");
    io::Diagnostics found;
    auto facts = model::decoder_config(made.model, found);
    EXPECT_TRUE(facts);
    if (facts) return *facts;
  }
  return {};
}

TEST(DecoderConversions, KeepTheConfig) {
  const auto llama = facts_of("llama");
  EXPECT_EQ(llama.n_kv_heads, 2U);
  EXPECT_EQ(llama.norm_eps, 1e-6);
  EXPECT_FALSE(llama.tie_word_embeddings);
  EXPECT_EQ(facts_of("mistral").sliding_window, 16U);
  EXPECT_EQ(facts_of("mistral").rope_freq_base, 1e6);
  const auto gemma = facts_of("gemma");
  EXPECT_EQ(gemma.head_dim, 6U);
  EXPECT_EQ(gemma.activation, model::DecoderActivation::GeluTanh);
  EXPECT_TRUE(gemma.tie_word_embeddings);
  EXPECT_EQ(facts_of("phi2").n_rotated, 4U);
  const auto phi3 = facts_of("phi3");
  EXPECT_EQ(phi3.rope_scaling.kind, model::RopeScaling::Kind::LongRope);
  EXPECT_EQ(phi3.rope_scaling.original_max_seq_len, 32U);
  EXPECT_EQ(facts_of("gpt2").n_ff, 32U);
  EXPECT_EQ(facts_of("gpt2").max_seq_len, 16U);
  EXPECT_EQ(facts_of("falcon").n_kv_heads, 1U);
  EXPECT_TRUE(facts_of("falcon").parallel_residual);
  EXPECT_EQ(facts_of("mpt").positions, model::DecoderPositions::Alibi);
}

TEST(DecoderConversions, StoreF16) {
  const DecoderDirectory directory = directory_of(kArchitectures[0]);
  for (const tensor::DType dtype : {tensor::DType::F16, tensor::DType::BF16}) {
    const ReadBack made =
        read_strictly(testing::run(directory.weights(), directory.files, to("amb", dtype)), "amb");
    ASSERT_FALSE(made.model.tensors.empty());
    for (const auto& tensor : made.model.tensors) EXPECT_EQ(tensor.dtype, dtype);
    for (const auto& tensor : directory.tensors) {
      EXPECT_EQ(testing::stored(made.floats(tensor.name)), tensor.data) << tensor.name;
    }
  }
}

TEST(DecoderConversions, RoundTripThroughAltWithoutLoss) {
  DecoderDirectory directory = directory_of(kArchitectures[1]);
  add_pieces(directory);
  std::vector<Error> warnings;
  const auto as_alt = testing::run(directory.weights(), directory.files, to("alt"), &warnings);
  const ReadBack alt = read_strictly(as_alt, "alt");
  ASSERT_TRUE(as_alt);
  // The tokenizer.json adds no BOS, and ALT always does.
  EXPECT_TRUE(std::ranges::any_of(
      warnings, [](const Error& error) { return error.path == "tokenizer.post_processor"; }));
  EXPECT_EQ(alt.model.version, "v1");
  EXPECT_EQ(alt.model.tokenizer->vocabulary[5],
            "\xE2\x96\x81"
            "ab");
  EXPECT_EQ(alt.model.tokenizer->bos_id, 1U);
  const auto as_amb = testing::run(*as_alt, {}, to("amb"));
  const ReadBack amb = read_strictly(as_amb, "amb");
  ASSERT_TRUE(as_amb);
  for (const auto& tensor : directory.tensors) {
    EXPECT_EQ(testing::stored(alt.floats(tensor.name)), tensor.data) << tensor.name;
    EXPECT_EQ(testing::stored(amb.floats(tensor.name)), tensor.data) << tensor.name;
  }
  EXPECT_EQ(amb.model.tokenizer->kind, model::TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(amb.model.tokenizer->vocabulary, alt.model.tokenizer->vocabulary);
  EXPECT_EQ(amb.model.tokenizer->types, (std::vector<uint8_t>{2, 3, 3, 6, 1, 1, 1, 1, 1, 1}));
  Options lossy = to("alt");
  const auto again = testing::run(*as_amb, {}, lossy);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, *as_alt);
}

TEST(DecoderConversions, MakePiecesFromATokenizerJson) {
  DecoderDirectory directory = directory_of(kArchitectures[0]);
  add_pieces(directory);
  const ReadBack made =
      read_strictly(testing::run(directory.weights(), directory.files, to("amb")), "amb");
  ASSERT_TRUE(made.model.tokenizer);
  const model::TokenizerData& tokenizer = *made.model.tokenizer;
  EXPECT_EQ(tokenizer.kind, model::TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(tokenizer.eos_id, 2U);
  EXPECT_EQ(tokenizer.unk_id, 0U);
  EXPECT_GT(tokenizer.scores[4], tokenizer.scores[5]);  // merged earlier
  EXPECT_GT(tokenizer.scores[5], tokenizer.scores[6]);  // never merged
  EXPECT_EQ(tokenizer.added_tokens.size(), 3U);
}

TEST(DecoderConversions, ReportAMissingOrWrongTensorWithItsShape) {
  DecoderDirectory missing = directory_of(kArchitectures[0]);
  std::erase_if(missing.tensors, [](const auto& tensor) {
    return tensor.name == "model.layers.1.mlp.up_proj.weight";
  });
  const auto without = testing::run(missing.weights(), missing.files, to("amb"));
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::NotFound);
  EXPECT_NE(without.error().message.find("layers.1.mlp.up_proj.weight [12, 8]"), std::string::npos)
      << without.error().message;

  DecoderDirectory wrong = directory_of(kArchitectures[0]);
  for (auto& tensor : wrong.tensors) {
    if (tensor.name == "model.layers.0.self_attn.k_proj.weight") tensor.shape = {2, 16};
  }
  const auto other = testing::run(wrong.weights(), wrong.files, to("amb"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::Mismatch);
  EXPECT_NE(other.error().message.find("is [2, 16], expected [4, 8]"), std::string::npos)
      << other.error().message;
}

TEST(DecoderConversions, DropUnknownTensorsOnlyIfLossy) {
  DecoderDirectory directory = directory_of(kArchitectures[0]);
  directory.add("model.layers.0.self_attn.rotary_emb.inv_freq", {1});
  EXPECT_TRUE(testing::run(directory.weights(), directory.files, to("amb")));
  directory.add("score.weight", {2, 8});
  const auto refused = testing::run(directory.weights(), directory.files, to("amb"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().path, "score.weight");
  Options lossy = to("amb");
  lossy.lossy = true;
  std::vector<Error> warnings;
  ASSERT_TRUE(testing::run(directory.weights(), directory.files, lossy, &warnings));
  EXPECT_TRUE(std::ranges::any_of(
      warnings, [](const Error& warning) { return warning.path == "score.weight"; }));
}

TEST(DecoderConversions, RejectModelsUnlikeMistralForAlt) {
  for (const Architecture& architecture : kArchitectures) {
    const std::string_view name = architecture.name;
    if (name == "llama" || name == "mistral") continue;
    const DecoderDirectory directory = directory_of(architecture);
    const auto refused = testing::run(directory.weights(), directory.files, to("alt"));
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported) << name;
    EXPECT_EQ(refused.error().path, "config") << name;
  }
}

TEST(DecoderConversions, UseTheCallersArchitecture) {
  DecoderDirectory directory = directory_of(kArchitectures[0]);
  std::string config = kLlama;
  config.replace(config.find("\"llama\""), 7, "\"yi\"");
  directory.files.add("config.json", config);
  const auto refused = testing::run(directory.weights(), directory.files, to("amb"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "config.json.model_type");
  Options options = to("amb");
  options.arch = "llama";
  EXPECT_TRUE(testing::run(directory.weights(), directory.files, options));
  options.arch = "yi";
  EXPECT_EQ(testing::run(directory.weights(), directory.files, options).error().path,
            "options.arch");
}

TEST(DecoderConversions, RejectIdsWithoutARow) {
  DecoderDirectory directory = directory_of(kArchitectures[0]);
  directory.files.add("vocab.json", R"({"a":0,"b":1,"ab":10})");
  directory.files.add("merges.txt", "#version: 0.2\na b\n");
  const auto refused = testing::run(directory.weights(), directory.files, to("amb"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(refused.error().path, "tokenizer");
}

TEST(DecoderConversions, ConvertAmbToAnotherDtype) {
  const DecoderDirectory directory = directory_of(kArchitectures[5]);
  const auto wide = testing::run(directory.weights(), directory.files, to("amb"));
  ASSERT_TRUE(wide);
  EXPECT_EQ(*testing::run(*wide, {}, to("amb")), *wide);
  const auto narrow = testing::run(*wide, {}, to("amb", tensor::DType::F16));
  const ReadBack made = read_strictly(narrow, "amb");
  EXPECT_EQ(made.model.tensors.front().dtype, tensor::DType::F16);
  EXPECT_EQ(*testing::run(*narrow, {}, to("amb", tensor::DType::F32)), *wide);
}

// The pieces are not in the order of their scores.
TEST(DecoderConversions, DropTheOrderOfScoresForAltOnlyIfLossy) {
  DecoderDirectory directory = directory_of(kArchitectures[0]);
  add_pieces(directory);
  std::string pieces = kPieces;
  pieces.replace(pieces.find("\"ab\":4"), 6, "\"ab\":5");
  pieces.replace(pieces.find("ab\":5,\"a\""), 5, "ab\":4");
  directory.files.add("tokenizer.json", pieces);
  const auto refused = testing::run(directory.weights(), directory.files, to("alt"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "tokenizer.scores");
  Options lossy = to("alt");
  lossy.lossy = true;
  EXPECT_TRUE(testing::run(directory.weights(), directory.files, lossy));
}

namespace fs = std::filesystem;

std::string with_vocabulary(std::string config, const std::string& n) {
  config.replace(config.find("\"vocab_size\":10"), 15, "\"vocab_size\":" + n);
  return config;
}

TEST(DecoderConversions, KeepARealSentencePieceModel) {
  AMBRY_NEEDS_DATA("tokenizers/sentencepiece");
  const fs::path folder = ambry::testing::data_folder() / "tokenizers";
  const std::string proto =
      *ambry::testing::read_text(folder / "sentencepiece/mistral.tokenizer.model.v1");
  DecoderDirectory directory = DecoderDirectory::make(with_vocabulary(kMistral, "32000"), "model.");
  directory.files.add("tokenizer.model", proto);
  const auto as_amb = testing::run(directory.weights(), directory.files, to("amb"));
  const ReadBack amb = read_strictly(as_amb, "amb");
  ASSERT_TRUE(amb.model.tokenizer);
  EXPECT_EQ(amb.model.tokenizer->payload, proto);
  const auto as_alt = testing::run(*as_amb, {}, to("alt"));
  const ReadBack alt = read_strictly(as_alt, "alt");
  ASSERT_TRUE(alt.model.tokenizer);
  EXPECT_EQ(alt.model.tokenizer->vocabulary, amb.model.tokenizer->vocabulary);
  const ReadBack back = read_strictly(testing::run(*as_alt, {}, to("amb")), "amb");
  ASSERT_TRUE(back.model.tokenizer);
  EXPECT_EQ(back.model.tokenizer->types, amb.model.tokenizer->types);
}

TEST(DecoderConversions, KeepARealByteLevelVocabulary) {
  AMBRY_NEEDS_DATA("tokenizers/gpt2");
  const fs::path folder = ambry::testing::data_folder() / "tokenizers" / "gpt2";
  std::string config = kArchitectures[5].config;
  config.replace(config.find("null"), 4, "32");
  DecoderDirectory directory =
      DecoderDirectory::make(with_vocabulary(config, "50257"), "transformer.");
  directory.files.add("vocab.json", *ambry::testing::read_text(folder / "encoder.json"));
  directory.files.add("merges.txt", *ambry::testing::read_text(folder / "vocab.bpe"));
  const ReadBack amb =
      read_strictly(testing::run(directory.weights(), directory.files, to("amb")), "amb");
  ASSERT_TRUE(amb.model.tokenizer);
  EXPECT_EQ(amb.model.tokenizer->vocabulary.size(), 50257U);
  EXPECT_EQ(amb.model.tokenizer->merges.size(), 2U * 50000);
  EXPECT_EQ(amb.model.tokenizer->vocabulary[50256], "<|endoftext|>");
}

}  // namespace
}  // namespace ambry::convert

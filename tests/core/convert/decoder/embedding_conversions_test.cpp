// The directory of a language model that makes embeddings becomes AMB and GGUF and comes back.
#include <gtest/gtest.h>

#include "convert/decoder/decoder_directory.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
namespace safetensors = formats::safetensors::testing;

std::string dense_module(uint32_t in, uint32_t out, const char* activation = "Identity") {
  return concat({R"({"in_features": )", in, R"(, "out_features": )", out,
                 R"(, "bias": false, "activation_function": "torch.nn.modules.x.)", activation,
                 R"("})"});
}

// All tensors that the model must have, but for dense layers after the pooling.
void add_needed_tensors(DecoderDirectory& model) {
  const auto read = formats::huggingface::read_decoder_config(model.files, "");
  ASSERT_TRUE(read) << describe(read.error());
  model::Model stated;
  stated.config = read->config;
  io::Diagnostics diagnostics;
  const auto facts = model::decoder_config(stated, diagnostics);
  ASSERT_TRUE(facts) << describe(facts.error());
  for (const model::DecoderTensor& wanted : model::decoder_tensors(*facts)) {
    const bool dense = wanted.role == model::DecoderRole::Dense;
    if (!wanted.spec.optional && !dense) model.add(wanted.spec.name, wanted.spec.shape);
  }
}

// A small EmbeddingGemma: a language model, and two dense layers in files of their own.
struct EmbeddingDirectory {
  DecoderDirectory model;
  File first;
  File second;

  explicit EmbeddingDirectory(const char* prompts = R"({"prompts": {}})") {
    SideFiles& files = model.files;
    files.add("config.json", R"({"model_type": "gemma3_text", "vocab_size": 11, "hidden_size": 8,
      "num_hidden_layers": 6, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 4,
      "intermediate_size": 12, "max_position_embeddings": 64, "sliding_window": 10,
      "query_pre_attn_scalar": 4, "use_bidirectional_attention": true})");
    files.add("modules.json", R"([
      {"path": "", "type": "sentence_transformers.models.Transformer"},
      {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
      {"path": "2_Dense", "type": "sentence_transformers.models.Dense"},
      {"path": "3_Dense", "type": "sentence_transformers.models.Dense"},
      {"path": "4_Normalize", "type": "sentence_transformers.models.Normalize"}])");
    files.add("1_Pooling/config.json", R"({"pooling_mode_mean_tokens": true})");
    files.add("2_Dense/config.json", dense_module(8, 20));
    files.add("3_Dense/config.json", dense_module(20, 8));
    files.add("config_sentence_transformers.json", prompts);
    add_needed_tensors(model);
    first = dense_weights("first", 20, 8);
    second = dense_weights("second", 8, 20);
  }

  static File dense_weights(const std::string& seed, uint64_t out, uint64_t in) {
    return safetensors::from_tensors(
        {{"linear.weight", "F32", {out, in}, stored(numbers_of(seed, out * in))}});
  }

  [[nodiscard]] Result<File> convert_to(const Options& options) const {
    const File weights = model.weights();
    const io::MemorySource main(weights);
    const io::MemorySource first_source(first);
    const io::MemorySource second_source(second);
    SourceFiles sources(main, model.files);
    sources.add("2_Dense/model.safetensors", first_source);
    sources.add("3_Dense/model.safetensors", second_source);
    return run(sources, {weights, first, second}, options);
  }
};

TEST(EmbeddingConversions, ADirectoryBecomesAmbWithItsDenseLayers) {
  const EmbeddingDirectory directory;
  const ReadBack amb = read_strictly(directory.convert_to(to("amb")), "amb");
  EXPECT_EQ(amb.floats("dense.0.weight"), numbers_of("first", 160));
  EXPECT_EQ(amb.floats("dense.1.weight"), numbers_of("second", 160));
  io::Diagnostics diagnostics;
  const auto facts = model::decoder_config(amb.model, diagnostics);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_TRUE(facts->bidirectional);
  ASSERT_TRUE(facts->embedding.has_value());
  EXPECT_EQ(facts->embedding->pooling, "mean");
  EXPECT_EQ(facts->embedding->dense.size(), 2U);
}

TEST(EmbeddingConversions, GgufHasItAsGemmaEmbedding) {
  const EmbeddingDirectory directory;
  const auto amb = directory.convert_to(to("amb"));
  ASSERT_TRUE(amb) << describe(amb.error());
  const auto gguf = run(*amb, {}, to("gguf"));
  ASSERT_TRUE(gguf) << describe(gguf.error());
  const ReadBack made = read_strictly(gguf, "gguf");
  const io::Json& metadata = made.model.metadata;
  EXPECT_EQ(model::metadata_text(metadata, "general.architecture"), "gemma-embedding");
  EXPECT_EQ(metadata.find("gemma-embedding.pooling_type")->uint(), 1U);
  EXPECT_EQ(metadata.find("gemma-embedding.attention.causal")->dump(), "false");
  EXPECT_EQ(metadata.find("gemma-embedding.attention.sliding_window")->uint(), 10U);
  EXPECT_EQ(metadata.find("gemma-embedding.dense_2_feat_in")->uint(), 8U);
  EXPECT_EQ(metadata.find("gemma-embedding.dense_2_feat_out")->uint(), 20U);
  EXPECT_EQ(made.floats("dense_3.weight"), numbers_of("second", 160));

  const ReadBack again = read_strictly(run(*gguf, {}, to("amb")), "amb");
  EXPECT_EQ(again.floats("dense.0.weight"), numbers_of("first", 160));
  io::Diagnostics diagnostics;
  const auto facts = model::decoder_config(again.model, diagnostics);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_TRUE(facts->bidirectional);
  EXPECT_EQ(facts->sliding_window, 10U);
  EXPECT_EQ(facts->embedding->embedding_size(8), 8U);
}

TEST(EmbeddingConversions, GgufHasAttentionToBothSidesOfQwen2) {
  DecoderDirectory gte;
  gte.files.add("config.json", R"({"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"],
    "auto_map": {"AutoModel": "modeling_qwen.Qwen2Model"}, "is_causal": false, "vocab_size": 11,
    "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
    "intermediate_size": 12, "max_position_embeddings": 64, "sliding_window": 16,
    "use_sliding_window": false, "max_window_layers": 1, "rms_norm_eps": 1e-6})");
  gte.files.add("modules.json", R"([
    {"path": "", "type": "sentence_transformers.models.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}])");
  gte.files.add("1_Pooling/config.json", R"({"pooling_mode_lasttoken": true})");
  add_needed_tensors(gte);
  const File weights = gte.weights();
  const io::MemorySource main(weights);
  const auto amb = run(SourceFiles(main, gte.files), {weights}, to("amb"));
  ASSERT_TRUE(amb) << describe(amb.error());
  const auto gguf = run(*amb, {}, to("gguf"));
  ASSERT_TRUE(gguf) << describe(gguf.error());
  const ReadBack made = read_strictly(gguf, "gguf");
  EXPECT_EQ(made.model.metadata.find("qwen2.attention.causal")->dump(), "false");
  EXPECT_EQ(made.model.metadata.find("qwen2.pooling_type")->uint(), 3U);
  const ReadBack again = read_strictly(run(*gguf, {}, to("amb")), "amb");
  io::Diagnostics diagnostics;
  const auto facts = model::decoder_config(again.model, diagnostics);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_TRUE(facts->bidirectional);
  EXPECT_FALSE(facts->sliding_window);
  EXPECT_EQ(facts->embedding->pooling, "lasttoken");
}

TEST(EmbeddingConversions, GgufRefusesWhatItHasNoPlaceFor) {
  EmbeddingDirectory directory(R"({"prompts": {"query": "task: "}})");
  auto amb = directory.convert_to(to("amb"));
  ASSERT_TRUE(amb) << describe(amb.error());
  const auto prompts = run(*amb, {}, to("gguf"));
  ASSERT_FALSE(prompts);
  EXPECT_NE(prompts.error().message.find("prompts"), std::string::npos);

  EmbeddingDirectory curved;
  curved.model.files.add("2_Dense/config.json", dense_module(8, 20, "Tanh"));
  amb = curved.convert_to(to("amb"));
  ASSERT_TRUE(amb) << describe(amb.error());
  const auto activation = run(*amb, {}, to("gguf"));
  ASSERT_FALSE(activation);
  EXPECT_EQ(activation.error().code, ErrorCode::Unsupported);
}

TEST(EmbeddingConversions, NamesTheDenseModuleWhoseWeightsAreMissing) {
  const EmbeddingDirectory directory;
  const auto made = run(directory.model.weights(), directory.model.files, to("amb"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::NotFound);
  EXPECT_EQ(made.error().path, "2_Dense/model.safetensors");
}

}  // namespace
}  // namespace ambry::convert

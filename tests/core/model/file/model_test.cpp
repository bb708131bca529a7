#include "model/file/model.h"

#include <gtest/gtest.h>

#include "model/encoder/encoder_config.h"
#include "model/encoder/encoder_metadata.h"
#include "model/encoder/encoder_tensors.h"
#include "model/tokenizer/made_up.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::model {
namespace {

EncoderConfig minilm() {
  EncoderConfig config;
  config.vocab_size = 30522;
  config.hidden_size = 384;
  config.num_layers = 6;
  config.num_heads = 12;
  config.intermediate_size = 1536;
  config.max_positions = 512;
  return config;
}

Model model_of(const EncoderConfig& config) {
  Model model;
  for (const EncoderTensor& tensor : encoder_tensors(config)) {
    const TensorSpec& spec = tensor.spec;
    model.tensors.push_back(entry(spec.name, spec.shape));
  }
  return model;
}

TEST(TensorNames, LoseTheExporterPrefix) {
  EXPECT_EQ(canonical_tensor_name("bert.encoder.x"), "encoder.x");
  EXPECT_EQ(canonical_tensor_name("0.auto_model.bert.model.encoder.x"), "encoder.x");
  EXPECT_EQ(canonical_tensor_name("encoder.bert.x"), "encoder.bert.x");
  EXPECT_EQ(canonical_tensor_name("bertha"), "bertha");
}

TEST(Model, FindsTensorsByCanonicalName) {
  Model model;
  model.tensors = {entry("bert.a", {1}), entry("b", {2})};
  EXPECT_EQ(model.find("a"), &model.tensors[0]);
  EXPECT_EQ(model.find("b"), &model.tensors[1]);
  EXPECT_EQ(model.find("c"), nullptr);
}

// core/formats/embd/README.md#check-values
TEST(BertTensors, MatchMiniLm) {
  uint64_t parameters = 0;
  uint64_t tensors = 0;
  for (const EncoderTensor& tensor : encoder_tensors(minilm())) {
    const TensorSpec& spec = tensor.spec;
    if (spec.optional) continue;
    parameters += *spec.shape.count();
    ++tensors;
  }
  EXPECT_EQ(tensors, 101U);
  EXPECT_EQ(parameters, 22'565'376U);
}

TEST(EncoderConfig, RoundTripsThroughMetadata) {
  EncoderConfig config = minilm();
  config.layer_norm_eps = 1e-5;
  config.hidden_act = "gelu_new";
  config.pooling = "lasttoken";
  config.normalize = false;
  config.max_seq_length = 128;
  config.prompts = {{"query", "query: \"x\" "}, {"empty", ""}};
  config.default_prompt_name = "query";
  config.include_prompt = false;
  Model model;
  set_encoder_metadata(config, model.metadata);
  EXPECT_EQ(model.metadata.find("layer_norm_eps")->string(), "0.00001");
  const auto read = encoder_config(model);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(*read, config);
}

TEST(EncoderConfig, FollowsFromShapesWithoutMetadata) {
  io::Diagnostics diagnostics;
  const auto config = encoder_config(model_of(minilm()), diagnostics);
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(*config, minilm());
  ASSERT_EQ(diagnostics.warnings.size(), 1U);
  EXPECT_EQ(diagnostics.warnings[0].path, "metadata.num_attention_heads");
}

TEST(EncoderConfig, FailsWithoutTheNumberOfHeads) {
  EncoderConfig odd = minilm();
  odd.hidden_size = 312;
  const auto config = encoder_config(model_of(odd));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(encoder_config(Model()));
}

TEST(EncoderConfig, LimitsTheLengthToThePositions) {
  Model model = model_of(minilm());
  model.metadata.set("max_seq_length", "1024");
  io::Diagnostics diagnostics;
  const auto config = encoder_config(model, diagnostics);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->max_seq_length, 512U);
  EXPECT_EQ(diagnostics.warnings.size(), 2U);
  model.metadata.set("max_seq_length", "1");
  EXPECT_FALSE(encoder_config(model));
}

TEST(TokenizerMetadata, RoundTrips) {
  TokenizerData tokenizer;
  for (const char* token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "x"}) {
    tokenizer.vocabulary.push_back(token);
  }
  find_special_tokens(tokenizer);
  tokenizer.lowercase = false;
  tokenizer.strip_accents = true;
  tokenizer.handle_chinese_chars = false;
  tokenizer.clean_text = false;
  tokenizer.max_input_chars_per_word = 200;
  tokenizer.continuing_subword_prefix = "@@";
  tokenizer.added_tokens = {{4, "x", false, true, true, true, true}};
  tokenizer.lists_added_tokens = true;
  io::Json metadata = io::Json::object();
  set_tokenizer_metadata(tokenizer, metadata);
  TokenizerData read;
  read.vocabulary = tokenizer.vocabulary;
  ASSERT_TRUE(read_tokenizer_metadata(metadata, read));
  EXPECT_EQ(read, tokenizer);
}

TEST(TokenizerMetadata, KeepsAnEmptyListOfAddedTokens) {
  TokenizerData tokenizer;
  tokenizer.vocabulary.push_back("[UNK]");
  find_special_tokens(tokenizer);
  io::Json metadata = io::Json::object();
  set_tokenizer_metadata(tokenizer, metadata);
  TokenizerData read;
  read.vocabulary = tokenizer.vocabulary;
  ASSERT_TRUE(read_tokenizer_metadata(metadata, read));
  EXPECT_TRUE(read.added_tokens.empty());
  EXPECT_TRUE(read.lists_added_tokens);
}

TEST(TokenizerMetadata, StatesOnlyValuesThatAreNotDefaults) {
  TokenizerData tokenizer;
  tokenizer.vocabulary.push_back("[UNK]");
  find_special_tokens(tokenizer);
  tokenizer.added_tokens = special_added_tokens(tokenizer);
  io::Json metadata = io::Json::object();
  set_tokenizer_metadata(tokenizer, metadata);
  EXPECT_EQ(metadata.dump(),
            R"({"do_lower_case":"true","strip_accents":"null","tokenize_chinese_chars":"true"})");
}

TEST(TokenizerMetadata, UsesTheLastIdOfARepeatedString) {
  TokenizerData tokenizer;
  tokenizer.vocabulary.push_back("[UNK]");
  tokenizer.vocabulary.push_back("[UNK]");
  find_special_tokens(tokenizer);
  EXPECT_EQ(tokenizer.unk_id, 1U);
}

TEST(TokenizerMetadata, RejectsInvalidMetadata) {
  for (const auto& [key, value] :
       {std::pair{"do_lower_case", "maybe"}, std::pair{"max_input_chars_per_word", "-1"},
        std::pair{"added_tokens", "{}"}, std::pair{"added_tokens", "[{}]"},
        std::pair{"added_tokens", "["}}) {
    io::Json metadata = io::Json::object();
    metadata.set(key, value);
    TokenizerData tokenizer;
    const auto result = read_tokenizer_metadata(metadata, tokenizer);
    ASSERT_FALSE(result) << key << "=" << value;
    EXPECT_EQ(result.error().path, std::string("metadata.") + key);
  }
}

}  // namespace
}  // namespace ambry::model

#include "model/decoder/config/embedding_config.h"

#include <gtest/gtest.h>

#include <string>

namespace ambry::model {
namespace {

Result<std::optional<EmbeddingConfig>> embedding_of(const std::string& embedding) {
  const io::Json config = io::parse_json(R"({"embedding": )" + embedding + "}").value();
  return embedding_config(config, 8);
}

TEST(EmbeddingConfig, IsAbsentForModelsThatOnlyGenerate) {
  const auto read = embedding_config(io::parse_json(R"({"n_embd": 8})").value(), 8);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->has_value());
}

TEST(EmbeddingConfig, ReadsWhatItWrites) {
  EmbeddingConfig config;
  config.pooling = "mean";
  config.normalize = false;
  config.max_seq_len = 99;
  config.prompts = {{"query", "Instruct: find\nQuery:"}, {"document", ""}};
  config.default_prompt_name = "document";
  config.include_prompt = false;
  config.dense = {{8, 5, true, DenseActivation::Tanh}, {5, 3, false, DenseActivation::Identity}};
  const auto read = embedding_of(embedding_document(config).dump());
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(**read, config);
  EXPECT_EQ((*read)->embedding_size(8), 3U);
}

TEST(EmbeddingConfig, RefusesWhatItDoesNotKnow) {
  struct Row {
    const char* embedding;
    ErrorCode code;
    const char* path;
  };
  const Row rows[] = {
      {R"(7)", ErrorCode::BadValue, "config.embedding"},
      {R"({"pooling": "weightedmean"})", ErrorCode::Unsupported, "config.embedding.pooling"},
      {R"({"colour": 1})", ErrorCode::Unsupported, "config.embedding.colour"},
      {R"({"prompts": ["a"]})", ErrorCode::BadValue, "config.embedding.prompts"},
      {R"({"prompts": {"a": 1}})", ErrorCode::BadValue, "config.embedding.prompts"},
      {R"({"default_prompt_name": "query"})", ErrorCode::NotFound,
       "config.embedding.default_prompt_name"},
      {R"({"dense": {}})", ErrorCode::BadValue, "config.embedding.dense"},
      {R"({"dense": [7]})", ErrorCode::BadValue, "config.embedding.dense[0]"},
      {R"({"dense": [{"in_features": 9, "out_features": 4}]})", ErrorCode::Mismatch,
       "config.embedding.dense[0].in_features"},
      {R"({"dense": [{"in_features": 8, "out_features": 4},
                     {"in_features": 5, "out_features": 4}]})",
       ErrorCode::Mismatch, "config.embedding.dense[1].in_features"},
      {R"({"dense": [{"in_features": 8, "out_features": 0}]})", ErrorCode::BadValue,
       "config.embedding.dense[0].out_features"},
      {R"({"dense": [{"in_features": 8, "out_features": 4, "activation": "mish"}]})",
       ErrorCode::Unsupported, "config.embedding.dense[0].activation"},
      {R"({"dense": [{"in_features": 8, "out_features": 4, "dropout": 1}]})",
       ErrorCode::Unsupported, "config.embedding.dense[0].dropout"}};
  for (const Row& row : rows) {
    const auto read = embedding_of(row.embedding);
    ASSERT_FALSE(read) << row.embedding;
    EXPECT_EQ(read.error().code, row.code) << row.embedding;
    EXPECT_EQ(read.error().path, row.path) << row.embedding;
  }
}

}  // namespace
}  // namespace ambry::model

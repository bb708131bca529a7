#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kDebertaV2Tensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes, Embedding,
          Rule::TokenTypes),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm"),
    table(Role::RelativeEmbedding, "encoder.rel_embeddings", Places, Hidden),
    norm(Role::RelativeNorm, "encoder.LayerNorm", Hidden, Rule::RelativeNorm),
    linear(Role::Query, "encoder.layer.#.attention.self.query_proj", Inner, Hidden, Rule::Always),
    linear(Role::Key, "encoder.layer.#.attention.self.key_proj", Inner, Hidden, Rule::Always),
    linear(Role::Value, "encoder.layer.#.attention.self.value_proj", Inner, Hidden, Rule::Always),
    linear(Role::RelativeKey, "encoder.layer.#.attention.self.pos_key_proj", Inner, Hidden,
           Rule::Always, Rule::RelativeKeys),
    linear(Role::RelativeQuery, "encoder.layer.#.attention.self.pos_query_proj", Inner, Hidden,
           Rule::Always, Rule::RelativeQueries),
    linear(Role::AttentionOutput, "encoder.layer.#.attention.output.dense", Hidden, Inner,
           Rule::Always),
    norm(Role::AttentionNorm, "encoder.layer.#.attention.output.LayerNorm"),
    linear(Role::Up, "encoder.layer.#.intermediate.dense", Ff, Hidden, Rule::Always),
    linear(Role::Down, "encoder.layer.#.output.dense", Hidden, Ff, Rule::Always),
    norm(Role::OutputNorm, "encoder.layer.#.output.LayerNorm"),
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

// What config.json says with lists and negative numbers is stated as plain facts.
constexpr std::array kDebertaV2Facts = {
    StatedFact("share_att_key", &EncoderFacts::share_relative),
    StatedFact("content_to_position", &EncoderFacts::content_to_position),
    StatedFact("position_to_content", &EncoderFacts::position_to_content),
    StatedFact("relative_norm", &EncoderFacts::relative_norm),
    StatedFact("relative_buckets", &EncoderFacts::relative_buckets, 0, kMaxBuckets),
    StatedFact("max_distance", &EncoderFacts::max_distance, 1, UINT32_MAX)};

}  // namespace

// Both DeBERTa-v2 and v3.
constinit const EncoderArchitecture kDebertaV2 = {
    .name = "deberta-v2",
    .facts = {.token_types = false,
              .positions = EncoderPositions::Disentangled,
              .relative_buckets = 0,
              .max_distance = 512},
    .stated = kDebertaV2Facts,
    .tensors = kDebertaV2Tensors,
    .head = {.classifier = "classifier",
             .dense = "pooler.dense",
             .activation = DenseActivation::Gelu},
    .fault = &EncoderFacts::distances_fault};

}  // namespace ambry::model

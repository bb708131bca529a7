#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

// A group of layers has the weights of its one inner layer.
constexpr std::array kAlbertTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::PositionEmbedding, "embeddings.position_embeddings", Positions),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm", Embedding),
    linear(Role::EmbeddingProjection, "encoder.embedding_hidden_mapping_in", Hidden, Embedding,
           Rule::Always),
    linear(Role::Query, "encoder.albert_layer_groups.#.albert_layers.0.attention.query", Inner,
           Hidden, Rule::Always),
    linear(Role::Key, "encoder.albert_layer_groups.#.albert_layers.0.attention.key", Inner, Hidden,
           Rule::Always),
    linear(Role::Value, "encoder.albert_layer_groups.#.albert_layers.0.attention.value", Inner,
           Hidden, Rule::Always),
    linear(Role::AttentionOutput, "encoder.albert_layer_groups.#.albert_layers.0.attention.dense",
           Hidden, Inner, Rule::Always),
    norm(Role::AttentionNorm, "encoder.albert_layer_groups.#.albert_layers.0.attention.LayerNorm"),
    linear(Role::Up, "encoder.albert_layer_groups.#.albert_layers.0.ffn", Ff, Hidden, Rule::Always),
    linear(Role::Down, "encoder.albert_layer_groups.#.albert_layers.0.ffn_output", Hidden, Ff,
           Rule::Always),
    norm(Role::OutputNorm, "encoder.albert_layer_groups.#.albert_layers.0.full_layer_layer_norm"),
    linear(Role::Pooler, "pooler", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kAlbertFacts = {
    StatedFact("embedding_size", &EncoderFacts::embedding_size, 1, UINT32_MAX),
    StatedFact("num_hidden_groups", &EncoderFacts::layer_groups, 1, kMaxEncoderLayers)};

}  // namespace

constinit const EncoderArchitecture kAlbert = {
    .name = "albert",
    .facts = {.embedding_size = 128, .layer_groups = 1},
    .stated = kAlbertFacts,
    .tensors = kAlbertTensors,
    .head = {.classifier = "classifier", .dense = "pooler"}};

}  // namespace ambry::model

#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kRoFormerTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm", Embedding),
    linear(Role::EmbeddingProjection, "embeddings_project", Hidden, Embedding, Rule::Always,
           Rule::Projected),
    linear(Role::Query, "encoder.layer.#.attention.self.query", Inner, Hidden, Rule::Always),
    linear(Role::Key, "encoder.layer.#.attention.self.key", Inner, Hidden, Rule::Always),
    linear(Role::Value, "encoder.layer.#.attention.self.value", Inner, Hidden, Rule::Always),
    linear(Role::AttentionOutput, "encoder.layer.#.attention.output.dense", Hidden, Inner,
           Rule::Always),
    norm(Role::AttentionNorm, "encoder.layer.#.attention.output.LayerNorm"),
    linear(Role::Up, "encoder.layer.#.intermediate.dense", Ff, Hidden, Rule::Always),
    linear(Role::Down, "encoder.layer.#.output.dense", Hidden, Ff, Rule::Always),
    norm(Role::OutputNorm, "encoder.layer.#.output.LayerNorm")};

constexpr std::array kRoFormerFacts = {
    StatedFact("embedding_size", &EncoderFacts::embedding_size, 0, UINT32_MAX)};

}  // namespace

constinit const EncoderArchitecture kRoFormer = {
    .name = "roformer",
    .facts = {.positions = EncoderPositions::Rope, .interleaved = true},
    .stated = kRoFormerFacts,
    .tensors = kRoFormerTensors,
    .head = {.classifier = "classifier.out_proj",
             .dense = "classifier.dense",
             .activation = DenseActivation::Gelu,
             .activation_key = "hidden_act"}};

}  // namespace ambry::model

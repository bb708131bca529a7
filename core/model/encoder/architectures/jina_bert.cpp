#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kBefore = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm"),
    linear(Role::Query, "encoder.layer.#.attention.self.query", Inner, Hidden, Rule::Always),
    linear(Role::Key, "encoder.layer.#.attention.self.key", Inner, Hidden, Rule::Always),
    linear(Role::Value, "encoder.layer.#.attention.self.value", Inner, Hidden, Rule::Always),
    linear(Role::AttentionOutput, "encoder.layer.#.attention.output.dense", Hidden, Inner,
           Rule::Always),
    norm(Role::AttentionNorm, "encoder.layer.#.attention.output.LayerNorm")};

constexpr std::array kAfter = {
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kJinaBertTensors = join_arrays(
    kBefore,
    std::array{linear(Role::GateUp, "encoder.layer.#.mlp.gated_layers", TwoFf, Hidden, Rule::Never),
               linear(Role::Down, "encoder.layer.#.mlp.wo", Hidden, Ff, Rule::Always),
               norm(Role::OutputNorm, "encoder.layer.#.mlp.layernorm")},
    kAfter);

constexpr std::array kQkNormTensors = join_arrays(
    kBefore,
    std::array{
        norm(Role::QueryNorm, "encoder.layer.#.attention.self.layer_norm_q", Inner),
        norm(Role::KeyNorm, "encoder.layer.#.attention.self.layer_norm_k", Inner),
        norm(Role::RepeatedNorm, "encoder.layer.#.layer_norm_1"),
        linear(Role::UpGate, "encoder.layer.#.mlp.up_gated_layer", TwoFf, Hidden, Rule::Never),
        linear(Role::Down, "encoder.layer.#.mlp.down_layer", Hidden, Ff, Rule::Always),
        norm(Role::OutputNorm, "encoder.layer.#.layer_norm_2")},
    kAfter);

}  // namespace

// jina-embeddings-v2 in English.
constinit const EncoderArchitecture kJinaBert = {
    .name = "jina-bert-v2",
    .facts = {.gated = true, .positions = EncoderPositions::Alibi},
    .stated = {},
    .tensors = kJinaBertTensors,
    .head = {.classifier = "classifier", .dense = "pooler.dense"}};

// jina-embeddings-v2 for code and in other languages.
constinit const EncoderArchitecture kJinaBertQkNorm = {
    .name = "jina-bert-v2-qk-norm",
    .facts = {.repeated_norm = true, .gated = true, .positions = EncoderPositions::Alibi},
    .stated = {},
    .tensors = kQkNormTensors};

}  // namespace ambry::model

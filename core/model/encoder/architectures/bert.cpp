#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

// The tensors of BERT, RoBERTa and ELECTRA. Only ELECTRA has embeddings of another width.
constexpr std::array kBertTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::PositionEmbedding, "embeddings.position_embeddings", Positions),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm", Embedding),
    linear(Role::EmbeddingProjection, "embeddings_project", Hidden, Embedding, Rule::Always,
           Rule::Projected),
    linear(Role::Query, "encoder.layer.#.attention.self.query", Inner, Hidden, Rule::AttentionBias),
    linear(Role::Key, "encoder.layer.#.attention.self.key", Inner, Hidden, Rule::AttentionBias),
    linear(Role::Value, "encoder.layer.#.attention.self.value", Inner, Hidden, Rule::AttentionBias),
    linear(Role::AttentionOutput, "encoder.layer.#.attention.output.dense", Hidden, Inner,
           Rule::AttentionBias),
    norm(Role::AttentionNorm, "encoder.layer.#.attention.output.LayerNorm"),
    linear(Role::Up, "encoder.layer.#.intermediate.dense", Ff, Hidden, Rule::MlpBias),
    linear(Role::Down, "encoder.layer.#.output.dense", Hidden, Ff, Rule::MlpBias),
    norm(Role::OutputNorm, "encoder.layer.#.output.LayerNorm"),
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kRobertaFacts = {
    StatedFact("pad_token_id", &EncoderFacts::pad_token_id, 0, kMaxPadTokenId)};
constexpr std::array kElectraFacts = {
    StatedFact("embedding_size", &EncoderFacts::embedding_size, 1, UINT32_MAX)};

}  // namespace

constinit const EncoderArchitecture kBert = {
    .name = "bert",
    .facts = {},
    .stated = {},
    .tensors = kBertTensors,
    .head = {.classifier = "classifier", .dense = "pooler.dense"}};

constinit const EncoderArchitecture kRoberta = {
    .name = "roberta",
    .facts = {.positions_after_pad = true, .pad_token_id = 1},
    .stated = kRobertaFacts,
    .tensors = kBertTensors,
    .head = {.classifier = "classifier.out_proj", .dense = "classifier.dense"}};

constinit const EncoderArchitecture kElectra = {.name = "electra",
                                                .facts = {.embedding_size = 128},
                                                .stated = kElectraFacts,
                                                .tensors = kBertTensors,
                                                .head = {.classifier = "classifier.out_proj",
                                                         .dense = "classifier.dense",
                                                         .activation = DenseActivation::Gelu}};

}  // namespace ambry::model

#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kGteTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes, Embedding,
          Rule::TokenTypes),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm"),
    linear(Role::QueryKeyValue, "encoder.layer.#.attention.qkv_proj", Inner3, Hidden, Rule::Always),
    linear(Role::AttentionOutput, "encoder.layer.#.attention.o_proj", Hidden, Inner, Rule::Always),
    norm(Role::AttentionNorm, "encoder.layer.#.attn_ln"),
    linear(Role::UpGate, "encoder.layer.#.mlp.up_gate_proj", TwoFf, Hidden, Rule::Never),
    linear(Role::Down, "encoder.layer.#.mlp.down_proj", Hidden, Ff, Rule::Always),
    norm(Role::OutputNorm, "encoder.layer.#.mlp_ln"),
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kGteFacts = {
    StatedFact("rope_theta", &EncoderFacts::rope_theta, 1, 1e12),
    StatedFact("rope_ntk_factor", &EncoderFacts::rope_ntk_factor, 1, 1e6)};

}  // namespace

// The authors' name for it is "new". gte-*-v1.5 and gte-multilingual are of this kind.
constinit const EncoderArchitecture kGte = {
    .name = "new",
    .facts = {.token_types = false, .gated = true, .positions = EncoderPositions::Rope},
    .stated = kGteFacts,
    .tensors = kGteTensors,
    .head = {.classifier = "classifier", .dense = "pooler.dense"}};

}  // namespace ambry::model

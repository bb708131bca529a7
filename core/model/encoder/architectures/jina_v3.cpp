#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kJinaV3Tensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes, Embedding,
          Rule::TokenTypes),
    norm(Role::EmbeddingNorm, "emb_ln"),
    linear(Role::QueryKeyValue, "encoder.layers.#.mixer.Wqkv", Inner3, Hidden, Rule::Always),
    linear(Role::AttentionOutput, "encoder.layers.#.mixer.out_proj", Hidden, Inner, Rule::Always),
    norm(Role::AttentionNorm, "encoder.layers.#.norm1"),
    linear(Role::Up, "encoder.layers.#.mlp.fc1", Ff, Hidden, Rule::Always),
    linear(Role::Down, "encoder.layers.#.mlp.fc2", Hidden, Ff, Rule::Always),
    norm(Role::OutputNorm, "encoder.layers.#.norm2"),
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kJinaV3Facts = {
    StatedFact("rotary_emb_base", &EncoderFacts::rope_theta, 1, 1e12)};

}  // namespace

// XLM-RoBERTa with rotary positions: jina-embeddings-v3.
constinit const EncoderArchitecture kJinaV3 = {
    .name = "jina-embeddings-v3",
    .facts = {.token_types = false, .positions = EncoderPositions::Rope},
    .stated = kJinaV3Facts,
    .tensors = kJinaV3Tensors};

}  // namespace ambry::model

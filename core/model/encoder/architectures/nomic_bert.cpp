#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kNomicBertTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes, Embedding,
          Rule::TokenTypes),
    norm(Role::EmbeddingNorm, "emb_ln"),
    linear(Role::QueryKeyValue, "encoder.layers.#.attn.Wqkv", Inner3, Hidden, Rule::AttentionBias),
    linear(Role::AttentionOutput, "encoder.layers.#.attn.out_proj", Hidden, Inner,
           Rule::AttentionBias),
    norm(Role::AttentionNorm, "encoder.layers.#.norm1"),
    linear(Role::Up, "encoder.layers.#.mlp.fc11", Ff, Hidden, Rule::MlpBias),
    linear(Role::Gate, "encoder.layers.#.mlp.fc12", Ff, Hidden, Rule::MlpBias),
    linear(Role::Down, "encoder.layers.#.mlp.fc2", Hidden, Ff, Rule::MlpBias),
    norm(Role::OutputNorm, "encoder.layers.#.norm2")};

constexpr std::array kNomicBertFacts = {
    StatedFact("rotary_emb_base", &EncoderFacts::rope_theta, 1, 1e12),
    StatedFact("rotary_emb_fraction", &EncoderFacts::rotary_fraction, 1e-3, 1),
    StatedFact("qkv_proj_bias", &EncoderFacts::attention_bias),
    StatedFact("mlp_fc1_bias", &EncoderFacts::mlp_bias)};

}  // namespace

constinit const EncoderArchitecture kNomicBert = {.name = "nomic_bert",
                                                  .facts = {.attention_bias = false,
                                                            .mlp_bias = false,
                                                            .token_types = false,
                                                            .gated = true,
                                                            .positions = EncoderPositions::Rope},
                                                  .stated = kNomicBertFacts,
                                                  .tensors = kNomicBertTensors};

}  // namespace ambry::model

#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

// The authors' file has the experts of a layer in one matrix (convert/encoder/expert_weights.h).
// The sum of a layer's experts has one bias.
constexpr std::array kNomicMoeTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes, Embedding,
          Rule::TokenTypes),
    norm(Role::EmbeddingNorm, "emb_ln"),
    linear(Role::QueryKeyValue, "encoder.layers.#.attn.Wqkv", Inner3, Hidden, Rule::AttentionBias),
    linear(Role::AttentionOutput, "encoder.layers.#.attn.out_proj", Hidden, Inner,
           Rule::AttentionBias),
    norm(Role::AttentionNorm, "encoder.layers.#.norm1"),
    linear(Role::Up, "encoder.layers.#.mlp.fc1", Ff, Hidden, Rule::MlpBias, Rule::NoExperts),
    linear(Role::Down, "encoder.layers.#.mlp.fc2", Hidden, Ff, Rule::MlpBias, Rule::NoExperts),
    linear(Role::Router, "encoder.layers.#.mlp.router.layer", Experts, Hidden, Rule::Never,
           Rule::Experts),
    of_part(1, linear(Role::Up, "encoder.layers.#.mlp.experts.@.fc1", Ff, Hidden, Rule::Never,
                      Rule::Experts)),
    of_part(1, linear(Role::Down, "encoder.layers.#.mlp.experts.@.fc2", Hidden, Ff, Rule::Never,
                      Rule::Experts)),
    linear(Role::Down, "encoder.layers.#.mlp.experts", Hidden, One, Rule::Experts, Rule::Never),
    norm(Role::OutputNorm, "encoder.layers.#.norm2")};

constexpr std::array kNomicMoeFacts = {
    StatedFact("rotary_emb_base", &EncoderFacts::rope_theta, 1, 1e12),
    StatedFact("rotary_emb_fraction", &EncoderFacts::rotary_fraction, 1e-3, 1),
    StatedFact("qkv_proj_bias", &EncoderFacts::attention_bias),
    StatedFact("mlp_fc1_bias", &EncoderFacts::mlp_bias),
    StatedFact("num_experts", &EncoderFacts::experts, 1, kMaxExperts),
    StatedFact("moe_top_k", &EncoderFacts::experts_used, 1, kMaxExperts),
    StatedFact("moe_every_n_layers", &EncoderFacts::expert_every, 2, kMaxEncoderLayers)};

}  // namespace

// nomic-embed-text-v2-moe.
constinit const EncoderArchitecture kNomicMoe = {.name = "nomic_bert_moe",
                                                 .facts = {.token_types = false,
                                                           .positions = EncoderPositions::Rope,
                                                           .experts = 8,
                                                           .experts_used = 2,
                                                           .expert_every = 2},
                                                 .stated = kNomicMoeFacts,
                                                 .tensors = kNomicMoeTensors,
                                                 .fault = &EncoderFacts::experts_fault};

}  // namespace ambry::model

#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kModernbertTensors = {
    table(Role::WordEmbedding, "embeddings.tok_embeddings", Vocab),
    norm(Role::EmbeddingNorm, "embeddings.norm"),
    norm(Role::AttentionNorm, "layers.#.attn_norm", Hidden, Rule::NotFirstLayer),
    linear(Role::QueryKeyValue, "layers.#.attn.Wqkv", Inner3, Hidden, Rule::AttentionBias),
    linear(Role::AttentionOutput, "layers.#.attn.Wo", Hidden, Inner, Rule::AttentionBias),
    norm(Role::OutputNorm, "layers.#.mlp_norm"),
    linear(Role::GateUp, "layers.#.mlp.Wi", TwoFf, Hidden, Rule::MlpBias),
    linear(Role::Down, "layers.#.mlp.Wo", Hidden, Ff, Rule::MlpBias),
    norm(Role::FinalNorm, "final_norm")};

constexpr std::array kModernbertFacts = {
    StatedFact("norm_bias", &EncoderFacts::norm_bias),
    StatedFact("attention_bias", &EncoderFacts::attention_bias),
    StatedFact("mlp_bias", &EncoderFacts::mlp_bias),
    StatedFact("global_rope_theta", &EncoderFacts::rope_theta, 1, 1e12),
    StatedFact("local_rope_theta", &EncoderFacts::local_rope_theta, 1, 1e12),
    StatedFact("local_attention", &EncoderFacts::local_window, 1, UINT32_MAX),
    StatedFact("global_attn_every_n_layers", &EncoderFacts::global_every, 1, kMaxEncoderLayers)};

}  // namespace

constinit const EncoderArchitecture kModernBert = {.name = "modernbert",
                                                   .facts = {.norm_first = true,
                                                             .final_norm = true,
                                                             .norm_bias = false,
                                                             .attention_bias = false,
                                                             .mlp_bias = false,
                                                             .token_types = false,
                                                             .gated = true,
                                                             .positions = EncoderPositions::Rope,
                                                             .rope_theta = 160'000,
                                                             .local_rope_theta = 10'000,
                                                             .local_window = 128,
                                                             .global_every = 3},
                                                   .stated = kModernbertFacts,
                                                   .tensors = kModernbertTensors,
                                                   .head = {.classifier = "classifier",
                                                            .dense = "head.dense",
                                                            .norm = "head.norm",
                                                            .activation = DenseActivation::Gelu}};

}  // namespace ambry::model

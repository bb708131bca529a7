#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kEuroBertTensors = {
    table(Role::WordEmbedding, "embed_tokens", Vocab),
    norm(Role::AttentionNorm, "layers.#.input_layernorm"),
    linear(Role::Query, "layers.#.self_attn.q_proj", Inner, Hidden, Rule::AttentionBias),
    linear(Role::Key, "layers.#.self_attn.k_proj", KvInner, Hidden, Rule::AttentionBias),
    linear(Role::Value, "layers.#.self_attn.v_proj", KvInner, Hidden, Rule::AttentionBias),
    linear(Role::AttentionOutput, "layers.#.self_attn.o_proj", Hidden, Inner, Rule::AttentionBias),
    norm(Role::OutputNorm, "layers.#.post_attention_layernorm"),
    linear(Role::Gate, "layers.#.mlp.gate_proj", Ff, Hidden, Rule::MlpBias),
    linear(Role::Up, "layers.#.mlp.up_proj", Ff, Hidden, Rule::MlpBias),
    linear(Role::Down, "layers.#.mlp.down_proj", Hidden, Ff, Rule::MlpBias),
    norm(Role::FinalNorm, "norm")};

constexpr std::array kEuroBertFacts = {
    StatedFact("num_key_value_heads", &EncoderFacts::kv_heads, 0, UINT32_MAX),
    StatedFact("head_dim", &EncoderFacts::head_dim, 0, kMaxHeadDim),
    StatedFact("rope_theta", &EncoderFacts::rope_theta, 1, 1e12),
    StatedFact("attention_bias", &EncoderFacts::attention_bias),
    StatedFact("mlp_bias", &EncoderFacts::mlp_bias)};

}  // namespace

// EuroBERT, and jina-embeddings-v5-text-nano, which is made of it.
constinit const EncoderArchitecture kEuroBert = {.name = "eurobert",
                                                 .facts = {.norm = EncoderNorm::Rms,
                                                           .norm_first = true,
                                                           .embedding_norm = false,
                                                           .final_norm = true,
                                                           .norm_bias = false,
                                                           .attention_bias = false,
                                                           .mlp_bias = false,
                                                           .token_types = false,
                                                           .gated = true,
                                                           .positions = EncoderPositions::Rope,
                                                           .rope_theta = 250'000},
                                                 .stated = kEuroBertFacts,
                                                 .tensors = kEuroBertTensors,
                                                 .head = {.classifier = "classifier",
                                                          .dense = "dense",
                                                          .activation = DenseActivation::Gelu,
                                                          .pooling = HeadPooling::Late}};

}  // namespace ambry::model

#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr Row rms_norm(Role role, std::string_view name) {
  return norm(role, name, Hidden, Rule::Always, Rule::Never);
}

constexpr Row plain(Role role, std::string_view name, EncoderExtent rows, EncoderExtent cols,
                    Rule weight = Rule::Always) {
  return linear(role, name, rows, cols, Rule::Never, weight);
}

constexpr std::array kT5Tensors = {
    table(Role::WordEmbedding, "shared", Vocab),
    table(Role::RelativeBias, "encoder.block.0.layer.0.SelfAttention.relative_attention_bias",
          Buckets, Heads),
    rms_norm(Role::AttentionNorm, "encoder.block.#.layer.0.layer_norm"),
    plain(Role::Query, "encoder.block.#.layer.0.SelfAttention.q", Inner, Hidden),
    plain(Role::Key, "encoder.block.#.layer.0.SelfAttention.k", Inner, Hidden),
    plain(Role::Value, "encoder.block.#.layer.0.SelfAttention.v", Inner, Hidden),
    plain(Role::AttentionOutput, "encoder.block.#.layer.0.SelfAttention.o", Hidden, Inner),
    rms_norm(Role::OutputNorm, "encoder.block.#.layer.1.layer_norm"),
    plain(Role::Up, "encoder.block.#.layer.1.DenseReluDense.wi", Ff, Hidden, Rule::NotGated),
    plain(Role::Gate, "encoder.block.#.layer.1.DenseReluDense.wi_0", Ff, Hidden, Rule::Gated),
    plain(Role::Up, "encoder.block.#.layer.1.DenseReluDense.wi_1", Ff, Hidden, Rule::Gated),
    plain(Role::Down, "encoder.block.#.layer.1.DenseReluDense.wo", Hidden, Ff),
    rms_norm(Role::FinalNorm, "encoder.final_layer_norm")};

constexpr std::array kT5Facts = {
    StatedFact("d_kv", &EncoderFacts::head_dim, 1, kMaxHeadDim),
    StatedFact("is_gated_act", &EncoderFacts::gated),
    StatedFact("relative_attention_num_buckets", &EncoderFacts::relative_buckets, 4, kMaxBuckets),
    StatedFact("relative_attention_max_distance", &EncoderFacts::max_distance, 2, UINT32_MAX)};

}  // namespace

// The encoder of T5.
constinit const EncoderArchitecture kT5 = {.name = "t5",
                                           .facts = {.norm = EncoderNorm::Rms,
                                                     .norm_first = true,
                                                     .embedding_norm = false,
                                                     .final_norm = true,
                                                     .norm_bias = false,
                                                     .attention_bias = false,
                                                     .mlp_bias = false,
                                                     .token_types = false,
                                                     .positions = EncoderPositions::RelativeBuckets,
                                                     .head_dim = 64,
                                                     .scale_scores = false},
                                           .stated = kT5Facts,
                                           .tensors = kT5Tensors,
                                           .fault = &EncoderFacts::distances_fault};

}  // namespace ambry::model

#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kNeoBertTensors = {
    table(Role::WordEmbedding, "encoder", Vocab),
    norm(Role::AttentionNorm, "transformer_encoder.#.attention_norm"),
    linear(Role::QueryKeyValue, "transformer_encoder.#.qkv", Inner3, Hidden, Rule::Never),
    linear(Role::AttentionOutput, "transformer_encoder.#.wo", Hidden, Inner, Rule::Never),
    norm(Role::OutputNorm, "transformer_encoder.#.ffn_norm"),
    linear(Role::GateUp, "transformer_encoder.#.ffn.w12", TwoFf, Hidden, Rule::Never),
    linear(Role::Down, "transformer_encoder.#.ffn.w3", Hidden, Ff, Rule::Never),
    norm(Role::FinalNorm, "layer_norm")};

}  // namespace

constinit const EncoderArchitecture kNeoBert = {
    .name = "neobert",
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
              .interleaved = true,
              .fused_by_head = true},
    .stated = {},
    .tensors = kNeoBertTensors,
    .head = {.classifier = "classifier", .dense = "dense"}};

}  // namespace ambry::model

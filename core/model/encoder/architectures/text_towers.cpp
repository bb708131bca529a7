#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

// CLIP and SigLIP have the same tensors.
constexpr std::array kTowerTensors = {
    table(Role::WordEmbedding, "text_model.embeddings.token_embedding", Vocab),
    table(Role::PositionEmbedding, "text_model.embeddings.position_embedding", Positions),
    norm(Role::AttentionNorm, "text_model.encoder.layers.#.layer_norm1"),
    linear(Role::Query, "text_model.encoder.layers.#.self_attn.q_proj", Inner, Hidden,
           Rule::Always),
    linear(Role::Key, "text_model.encoder.layers.#.self_attn.k_proj", Inner, Hidden, Rule::Always),
    linear(Role::Value, "text_model.encoder.layers.#.self_attn.v_proj", Inner, Hidden,
           Rule::Always),
    linear(Role::AttentionOutput, "text_model.encoder.layers.#.self_attn.out_proj", Hidden, Inner,
           Rule::Always),
    norm(Role::OutputNorm, "text_model.encoder.layers.#.layer_norm2"),
    linear(Role::Up, "text_model.encoder.layers.#.mlp.fc1", Ff, Hidden, Rule::Always),
    linear(Role::Down, "text_model.encoder.layers.#.mlp.fc2", Hidden, Ff, Rule::Always),
    norm(Role::FinalNorm, "text_model.final_layer_norm")};

constexpr std::array kClipFacts = {
    StatedFact("eos_token_id", &EncoderFacts::end_token_id, 0, kMaxPadTokenId)};
constexpr std::array kSiglipFacts = {
    StatedFact("pad_token_id", &EncoderFacts::pad_token_id, 0, kMaxPadTokenId)};

}  // namespace

constinit const EncoderArchitecture kClipText = {.name = "clip_text_model",
                                                 .facts = {.norm_first = true,
                                                           .embedding_norm = false,
                                                           .final_norm = true,
                                                           .token_types = false,
                                                           .causal = true},
                                                 .stated = kClipFacts,
                                                 .tensors = kTowerTensors};

constinit const EncoderArchitecture kSiglipText = {.name = "siglip_text_model",
                                                   .facts = {.norm_first = true,
                                                             .embedding_norm = false,
                                                             .final_norm = true,
                                                             .token_types = false,
                                                             .filled = true,
                                                             .pad_token_id = 1},
                                                   .stated = kSiglipFacts,
                                                   .tensors = kTowerTensors};

}  // namespace ambry::model

// The tensors of decoders whose layers all have attention and one feed-forward part, by the names
// of Hugging Face.
#pragma once

#include <array>

#include "base/join_arrays.h"
#include "model/decoder/architectures/tensor_groups.h"

namespace ambry::model::decoder_rows {

inline constexpr auto kLlama = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                           kAttentionOutput, kMlpNorm, kGatedMlp, kEnd);

inline constexpr auto kQwen3 =
    join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                query_key_norms(HeadDim, HeadDim), kAttentionOutput, kMlpNorm, kGatedMlp, kEnd);

inline constexpr auto kGemma2 =
    join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias), kAttentionOutput,
                kGemmaMlpNorms, kGatedMlp, kPostMlpNorm, kEnd);

inline constexpr auto kGemma3 = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                            query_key_norms(HeadDim, HeadDim), kAttentionOutput,
                                            kGemmaMlpNorms, kGatedMlp, kPostMlpNorm, kEnd);

inline constexpr auto kOlmo2 =
    join_arrays(kEmbedding, query_key_value(Rule::AttnBias), query_key_norms(Heads, KvHeads),
                kAttentionOutput, kPostAttentionNorm, kGatedMlp, kPostMlpNorm, kEnd);

inline constexpr auto kPhi3 =
    join_arrays(kEmbedding, kInputNorm,
                std::array{linear(QueryKeyValue, "layers.#.self_attn.qkv_proj", QkvHeads, Embd,
                                  Rule::AttnBias)},
                kAttentionOutput, kMlpNorm,
                std::array{linear(GateUp, "layers.#.mlp.gate_up_proj", TwoFf, Embd, Rule::MlpBias),
                           linear(Down, "layers.#.mlp.down_proj", Embd, Ff, Rule::MlpBias)},
                kEnd);

inline constexpr std::array kLayerNorm = {
    norm(AttentionNorm, "layers.#.input_layernorm", Rule::Always)};

inline constexpr auto kStableLm =
    join_arrays(kEmbedding, kLayerNorm, query_key_value(Rule::AttnBias), kAttentionOutput,
                std::array{Row{.role = MlpNorm,
                               .name = "layers.#.post_attention_layernorm",
                               .weight = Rule::Sequential,
                               .bias = Rule::Sequential}},
                kGatedMlp, std::array{norm(FinalNorm, "norm", Rule::Always), output("lm_head")});

inline constexpr auto kStarcoder2 = join_arrays(
    kEmbedding, kLayerNorm, query_key_value(Rule::AttnBias),
    std::array{linear(AttentionOutput, "layers.#.self_attn.o_proj", Embd, Heads, Rule::AttnBias),
               norm(MlpNorm, "layers.#.post_attention_layernorm", Rule::Always),
               linear(Up, "layers.#.mlp.c_fc", Ff, Embd, Rule::MlpBias),
               linear(Down, "layers.#.mlp.c_proj", Embd, Ff, Rule::MlpBias),
               norm(FinalNorm, "norm", Rule::Always), output("lm_head")});

inline constexpr auto kPhi2 = join_arrays(
    kEmbedding, kLayerNorm, query_key_value(Rule::Always),
    std::array{linear(AttentionOutput, "layers.#.self_attn.dense", Embd, Heads, Rule::Always),
               linear(Up, "layers.#.mlp.fc1", Ff, Embd, Rule::Always),
               linear(Down, "layers.#.mlp.fc2", Embd, Ff, Rule::Always),
               norm(FinalNorm, "final_layernorm", Rule::Always), output("lm_head", Rule::Untied)});

inline constexpr std::array kGptNeoX = {
    embedding("embed_in"),
    norm(AttentionNorm, "layers.#.input_layernorm", Rule::Always),
    linear(QueryKeyValue, "layers.#.attention.query_key_value", QkvHeads, Embd, Rule::AttnBias),
    linear(AttentionOutput, "layers.#.attention.dense", Embd, Heads, Rule::AttnBias),
    norm(MlpNorm, "layers.#.post_attention_layernorm", Rule::Always),
    linear(Up, "layers.#.mlp.dense_h_to_4h", Ff, Embd, Rule::Always),
    linear(Down, "layers.#.mlp.dense_4h_to_h", Embd, Ff, Rule::Always),
    norm(FinalNorm, "final_layer_norm", Rule::Always),
    output("embed_out")};

inline constexpr std::array kGptJ = {embedding("wte"),
                                     norm(AttentionNorm, "h.#.ln_1", Rule::Always),
                                     linear(Query, "h.#.attn.q_proj", Heads, Embd),
                                     linear(Key, "h.#.attn.k_proj", KvHeads, Embd),
                                     linear(Value, "h.#.attn.v_proj", KvHeads, Embd),
                                     linear(AttentionOutput, "h.#.attn.out_proj", Embd, Heads),
                                     linear(Up, "h.#.mlp.fc_in", Ff, Embd, Rule::Always),
                                     linear(Down, "h.#.mlp.fc_out", Embd, Ff, Rule::Always),
                                     norm(FinalNorm, "ln_f", Rule::Always),
                                     output("lm_head", Rule::Untied)};

// The linear layers of gpt2 are Conv1D and stored as [in, out]. Its head is an ordinary layer.
inline constexpr std::array kGpt2 = {
    embedding("wte"),
    positions("wpe", Rule::Always),
    norm(AttentionNorm, "h.#.ln_1", Rule::Always),
    linear(QueryKeyValue, "h.#.attn.c_attn", QkvHeads, Embd, Rule::Always),
    linear(AttentionOutput, "h.#.attn.c_proj", Embd, Heads, Rule::Always),
    norm(MlpNorm, "h.#.ln_2", Rule::Always),
    linear(Up, "h.#.mlp.c_fc", Ff, Embd, Rule::Always),
    linear(Down, "h.#.mlp.c_proj", Embd, Ff, Rule::Always),
    norm(FinalNorm, "ln_f", Rule::Always),
    Row{.role = Output, .name = "lm_head", .rows = Vocab, .cols = Embd, .weight = Rule::Untied}};

// falcon-7b has one norm a layer. falcon-40b has two with other names, falcon-rw two in sequence.
inline constexpr std::array kFalcon = {
    embedding("word_embeddings"),
    Row{.role = AttentionNorm,
        .name = "h.#.input_layernorm",
        .bias = Rule::Always,
        .other_name = "h.#.ln_attn"},
    linear(QueryKeyValue, "h.#.self_attention.query_key_value", QkvHeads, Embd, Rule::AttnBias),
    linear(AttentionOutput, "h.#.self_attention.dense", Embd, Heads, Rule::AttnBias),
    Row{.role = MlpNorm,
        .name = "h.#.post_attention_layernorm",
        .weight = Rule::Sequential,
        .bias = Rule::Sequential,
        .other_name = "h.#.ln_mlp"},
    linear(Up, "h.#.mlp.dense_h_to_4h", Ff, Embd, Rule::MlpBias),
    linear(Down, "h.#.mlp.dense_4h_to_h", Embd, Ff, Rule::MlpBias),
    norm(FinalNorm, "ln_f", Rule::Always),
    output("lm_head")};

inline constexpr std::array kMpt = {
    embedding("wte"),
    positions("wpe", Rule::Learned),
    norm(AttentionNorm, "blocks.#.norm_1", Rule::Optional),
    linear(QueryKeyValue, "blocks.#.attn.Wqkv", QkvHeads, Embd, Rule::AttnBias),
    linear(AttentionOutput, "blocks.#.attn.out_proj", Embd, Heads, Rule::AttnBias),
    norm(MlpNorm, "blocks.#.norm_2", Rule::Optional),
    linear(Up, "blocks.#.ffn.up_proj", Ff, Embd, Rule::MlpBias),
    linear(Down, "blocks.#.ffn.down_proj", Embd, Ff, Rule::MlpBias),
    norm(FinalNorm, "norm_f", Rule::Optional),
    output("lm_head")};

inline constexpr std::array kPlainMlp = {
    linear(Up, "layers.#.mlp.up_proj", Ff, Embd, Rule::MlpBias),
    linear(Down, "layers.#.mlp.down_proj", Embd, Ff, Rule::MlpBias)};

inline constexpr auto kArcee = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                           kAttentionOutput, kMlpNorm, kPlainMlp, kEnd);

inline constexpr auto kHunYuan = join_arrays(
    kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
    std::array{norm(QueryNorm, "layers.#.self_attn.query_layernorm", Rule::Never, HeadDim),
               norm(KeyNorm, "layers.#.self_attn.key_layernorm", Rule::Never, HeadDim)},
    kAttentionOutput, kMlpNorm, kGatedMlp, kEnd);

inline constexpr auto kExaone4 =
    join_arrays(kEmbedding, query_key_value(Rule::AttnBias), query_key_norms(HeadDim, HeadDim),
                kAttentionOutput, kPostAttentionNorm, kGatedMlp, kPostMlpNorm, kEnd);

inline constexpr auto kApertus = join_arrays(
    kEmbedding, std::array{norm(AttentionNorm, "layers.#.attention_layernorm")},
    query_key_value(Rule::AttnBias), query_key_norms(HeadDim, HeadDim), kAttentionOutput,
    std::array{norm(MlpNorm, "layers.#.feedforward_layernorm")}, kPlainMlp, kEnd);

}  // namespace ambry::model::decoder_rows

#include "model/decoder/tensor_tables.h"

#include <array>

#include "base/join_arrays.h"

namespace ambry::model {
namespace {

using Row = DecoderTensorRow;
using Rule = DecoderRule;
using enum DecoderRole;
using enum DecoderExtent;

// --- rows ---

constexpr Row embedding(std::string_view name) {
  return {.role = TokenEmbedding, .name = name, .rows = Vocab, .cols = Embd};
}

constexpr Row positions(std::string_view name, Rule rule) {
  return {.role = PositionEmbedding, .name = name, .rows = Positions, .cols = Embd, .weight = rule};
}

constexpr Row norm(DecoderRole role, std::string_view name, Rule bias = Rule::Never,
                   DecoderExtent extent = Embd) {
  return {.role = role, .name = name, .rows = extent, .bias = bias};
}

constexpr Row linear(DecoderRole role, std::string_view name, DecoderExtent rows,
                     DecoderExtent cols, Rule bias = Rule::Never) {
  return {.role = role, .name = name, .rows = rows, .cols = cols, .linear = true, .bias = bias};
}

// The matrix of the logits, which may be the token embedding instead.
constexpr Row output(std::string_view name, Rule bias = Rule::Never) {
  return {.role = Output,
          .name = name,
          .rows = Vocab,
          .cols = Embd,
          .linear = true,
          .weight = Rule::Untied,
          .bias = bias};
}

// --- groups of rows that several architectures share ---

constexpr std::array<Row, 3> query_key_value(Rule bias) {
  return {linear(Query, "layers.#.self_attn.q_proj", Heads, Embd, bias),
          linear(Key, "layers.#.self_attn.k_proj", KvHeads, Embd, bias),
          linear(Value, "layers.#.self_attn.v_proj", KvHeads, Embd, bias)};
}

constexpr std::array<Row, 2> query_key_norms(DecoderExtent query, DecoderExtent key) {
  return {norm(QueryNorm, "layers.#.self_attn.q_norm", Rule::Never, query),
          norm(KeyNorm, "layers.#.self_attn.k_norm", Rule::Never, key)};
}

constexpr std::array kEmbedding = {embedding("embed_tokens")};
constexpr std::array kInputNorm = {norm(AttentionNorm, "layers.#.input_layernorm")};
constexpr std::array kAttentionOutput = {
    linear(AttentionOutput, "layers.#.self_attn.o_proj", Embd, Heads, Rule::Optional)};
constexpr std::array kMlpNorm = {norm(MlpNorm, "layers.#.post_attention_layernorm")};
constexpr std::array kGatedMlp = {linear(Gate, "layers.#.mlp.gate_proj", Ff, Embd, Rule::MlpBias),
                                  linear(Up, "layers.#.mlp.up_proj", Ff, Embd, Rule::MlpBias),
                                  linear(Down, "layers.#.mlp.down_proj", Embd, Ff, Rule::MlpBias)};
constexpr std::array kEnd = {norm(FinalNorm, "norm"), output("lm_head")};

// Norms of what attention and feed-forward layer add to the hidden state.
constexpr std::array kPostAttentionNorm = {
    norm(PostAttentionNorm, "layers.#.post_attention_layernorm")};
constexpr std::array kPostMlpNorm = {norm(PostMlpNorm, "layers.#.post_feedforward_layernorm")};
constexpr std::array kGemmaMlpNorms = join_arrays(
    kPostAttentionNorm, std::array{norm(MlpNorm, "layers.#.pre_feedforward_layernorm")});

// --- architectures ---

constexpr auto kLlama = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                    kAttentionOutput, kMlpNorm, kGatedMlp, kEnd);

constexpr auto kQwen3 =
    join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                query_key_norms(HeadDim, HeadDim), kAttentionOutput, kMlpNorm, kGatedMlp, kEnd);

constexpr auto kGemma2 =
    join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias), kAttentionOutput,
                kGemmaMlpNorms, kGatedMlp, kPostMlpNorm, kEnd);

constexpr auto kGemma3 = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                     query_key_norms(HeadDim, HeadDim), kAttentionOutput,
                                     kGemmaMlpNorms, kGatedMlp, kPostMlpNorm, kEnd);

constexpr auto kOlmo2 =
    join_arrays(kEmbedding, query_key_value(Rule::AttnBias), query_key_norms(Heads, KvHeads),
                kAttentionOutput, kPostAttentionNorm, kGatedMlp, kPostMlpNorm, kEnd);

constexpr auto kPhi3 =
    join_arrays(kEmbedding, kInputNorm,
                std::array{linear(QueryKeyValue, "layers.#.self_attn.qkv_proj", QkvHeads, Embd,
                                  Rule::AttnBias)},
                kAttentionOutput, kMlpNorm,
                std::array{linear(GateUp, "layers.#.mlp.gate_up_proj", TwoFf, Embd, Rule::MlpBias),
                           linear(Down, "layers.#.mlp.down_proj", Embd, Ff, Rule::MlpBias)},
                kEnd);

constexpr std::array kLayerNorm = {norm(AttentionNorm, "layers.#.input_layernorm", Rule::Always)};

constexpr auto kStableLm =
    join_arrays(kEmbedding, kLayerNorm, query_key_value(Rule::AttnBias), kAttentionOutput,
                std::array{Row{.role = MlpNorm,
                               .name = "layers.#.post_attention_layernorm",
                               .weight = Rule::Sequential,
                               .bias = Rule::Sequential}},
                kGatedMlp, std::array{norm(FinalNorm, "norm", Rule::Always), output("lm_head")});

constexpr auto kStarcoder2 = join_arrays(
    kEmbedding, kLayerNorm, query_key_value(Rule::AttnBias),
    std::array{linear(AttentionOutput, "layers.#.self_attn.o_proj", Embd, Heads, Rule::AttnBias),
               norm(MlpNorm, "layers.#.post_attention_layernorm", Rule::Always),
               linear(Up, "layers.#.mlp.c_fc", Ff, Embd, Rule::MlpBias),
               linear(Down, "layers.#.mlp.c_proj", Embd, Ff, Rule::MlpBias),
               norm(FinalNorm, "norm", Rule::Always), output("lm_head")});

constexpr auto kPhi2 = join_arrays(
    kEmbedding, kLayerNorm, query_key_value(Rule::Always),
    std::array{linear(AttentionOutput, "layers.#.self_attn.dense", Embd, Heads, Rule::Always),
               linear(Up, "layers.#.mlp.fc1", Ff, Embd, Rule::Always),
               linear(Down, "layers.#.mlp.fc2", Embd, Ff, Rule::Always),
               norm(FinalNorm, "final_layernorm", Rule::Always), output("lm_head", Rule::Untied)});

constexpr std::array kGptNeoX = {
    embedding("embed_in"),
    norm(AttentionNorm, "layers.#.input_layernorm", Rule::Always),
    linear(QueryKeyValue, "layers.#.attention.query_key_value", QkvHeads, Embd, Rule::AttnBias),
    linear(AttentionOutput, "layers.#.attention.dense", Embd, Heads, Rule::AttnBias),
    norm(MlpNorm, "layers.#.post_attention_layernorm", Rule::Always),
    linear(Up, "layers.#.mlp.dense_h_to_4h", Ff, Embd, Rule::Always),
    linear(Down, "layers.#.mlp.dense_4h_to_h", Embd, Ff, Rule::Always),
    norm(FinalNorm, "final_layer_norm", Rule::Always),
    output("embed_out")};

constexpr std::array kGptJ = {embedding("wte"),
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
constexpr std::array kGpt2 = {
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
constexpr std::array kFalcon = {
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

constexpr std::array kMpt = {
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

}  // namespace

std::span<const DecoderTensorRow> decoder_tensor_rows(DecoderArchitecture architecture) {
  using enum DecoderArchitecture;
  switch (architecture) {
    case Phi2:
      return kPhi2;
    case Phi3:
      return kPhi3;
    case Gpt2:
      return kGpt2;
    case Falcon:
      return kFalcon;
    case Mpt:
      return kMpt;
    case Qwen3:
      return kQwen3;
    case Gemma2:
      return kGemma2;
    case Gemma3:
      return kGemma3;
    case Olmo2:
      return kOlmo2;
    case StableLm:
      return kStableLm;
    case GptNeoX:
      return kGptNeoX;
    case GptJ:
      return kGptJ;
    case Starcoder2:
      return kStarcoder2;
    case Llama:
    case Mistral:
    case Gemma:
    case Qwen2:
    case SmolLm3:
    case Granite:
      break;
  }
  return kLlama;
}

}  // namespace ambry::model

// The encoders of GGUF: the names of their tensors in GGUF and in Hugging Face's files, and the
// keys of their facts.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "formats/gguf/names/tensor_names.h"
#include "model/encoder/architectures/encoder_architecture.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// EMBD's key of a fact, and what follows the architecture in GGUF's key.
struct GgufFact {
  const char* key;
  std::string_view suffix;
};

// `cls`, `cls.norm` and `cls.output` are the head of a classifier or reranker.
inline constexpr auto kBertNames = std::to_array<GgufName>(
    {{"token_embd", "embeddings.word_embeddings"},
     {"token_types", "embeddings.token_type_embeddings"},
     {"position_embd", "embeddings.position_embeddings"},
     {"token_embd_norm", "embeddings.LayerNorm"},
     {"blk.#.attn_q", "encoder.layer.#.attention.self.query"},
     {"blk.#.attn_k", "encoder.layer.#.attention.self.key"},
     {"blk.#.attn_v", "encoder.layer.#.attention.self.value"},
     {"blk.#.attn_output", "encoder.layer.#.attention.output.dense"},
     {"blk.#.attn_output_norm", "encoder.layer.#.attention.output.LayerNorm"},
     {"blk.#.ffn_up", "encoder.layer.#.intermediate.dense"},
     {"blk.#.ffn_down", "encoder.layer.#.output.dense"},
     {"blk.#.layer_output_norm", "encoder.layer.#.output.LayerNorm"},
     {"cls", "pooler.dense"},
     {"cls.output", "classifier"}});

// The encoder whose tensors are checked by name, and as which models are written.
inline constexpr GgufArchitecture kGgufBert = {
    .gguf = "bert", .other = "bert", .names = kBertNames, .is_encoder = true};

// The architecture whose tensors are checked by name: a decoder or kGgufBert. Otherwise nullptr.
[[nodiscard]] inline const GgufArchitecture* find_checked_architecture(std::string_view gguf) {
  return gguf == kGgufBert.gguf ? &kGgufBert : find_gguf_architecture(gguf);
}

struct GgufEncoder {
  std::string_view gguf;  // `general.architecture`
  const model::EncoderArchitecture* architecture;
  // Tensors with the same other name are its rows, in this order.
  std::span<const GgufName> names;
  std::span<const GgufFact> facts;  // besides the sizes
  std::string_view activation;
  // NOLINTBEGIN(readability-redundant-member-init): GCC warns about rows that leave these out
  std::string_view has = {};   // a tensor by which it is told apart
  std::string_view flag = {};  // EMBD's key of a fact that is true
  // NOLINTEND(readability-redundant-member-init)
};

// GGUF's names of all encoders, each once.
[[nodiscard]] std::span<const std::string_view> gguf_encoder_names();

// Tensors tell apart what has one name in GGUF, such as BERT and DistilBERT. Returns nullptr when
// there is none.
[[nodiscard]] const GgufEncoder* find_gguf_encoder(const model::Model& gguf);

}  // namespace ambry::formats::gguf

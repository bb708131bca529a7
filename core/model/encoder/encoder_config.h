// The facts needed to run a sentence encoder. They come from the metadata, else from the
// shapes of the tensors, else from EMBD's defaults (core/formats/embd/README.md#model-facts).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/diagnostics.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/encoder_architecture.h"
#include "model/encoder/head/dense_layers.h"
#include "model/encoder/head/head_config.h"
#include "model/encoder/late_interaction.h"
#include "model/file/model.h"

namespace ambry::model {

struct EncoderConfig {
  const EncoderArchitecture* architecture = &kBert;
  EncoderFacts facts;  // the architecture's, with what the model states
  uint32_t vocab_size = 0;
  uint32_t hidden_size = 0;
  uint32_t num_layers = 0;
  uint32_t num_heads = 0;
  uint32_t intermediate_size = 0;
  uint32_t max_positions = 0;
  uint32_t type_vocab_size = 2;
  double layer_norm_eps = 1e-12;
  // gelu | gelu_new | gelu_tanh | gelu_pytorch_tanh | relu, silu where the layer is gated, and
  // quick_gelu where it is not
  std::string hidden_act = "gelu";
  std::string pooling = "mean";  // mean | cls | max | mean_sqrt_len | lasttoken
  bool normalize = true;
  uint32_t max_seq_length = 256;  // includes [CLS] and [SEP]; never above max_tokens()
  std::vector<std::pair<std::string, std::string>> prompts;
  std::string default_prompt_name;
  bool include_prompt = true;
  std::vector<DenseConfig> dense;       // after pooling, before normalization
  std::optional<HeadConfig> head;       // of a text, or of each of its tokens
  std::optional<LateInteraction> late;  // then the dense layers are applied to each token

  // The head for whole texts.
  [[nodiscard]] const HeadConfig* text_head() const {
    return head && head->task == HeadTask::TextClassification ? &*head : nullptr;
  }
  // The head for the tokens of a text. nullptr in a module without such heads, which thus leaves
  // out all code for them (api/encoder/bert_family_only.h).
  [[nodiscard]] const HeadConfig* token_head() const;
  // `late`, or nullptr. A module without late interaction leaves its code out in the same way.
  [[nodiscard]] const LateInteraction* late_interaction() const;
  // Whether the model gives vectors of tokens and none of a whole text.
  [[nodiscard]] bool has_tokens_only() const {
    const LateInteraction* of_tokens = late_interaction();
    return of_tokens != nullptr && !of_tokens->with_sentences;
  }
  // Whether it gives vectors of texts, weights of words and vectors of tokens.
  [[nodiscard]] bool gives_all() const {
    const LateInteraction* of_tokens = late_interaction();
    return of_tokens != nullptr && of_tokens->with_sentences && head.has_value();
  }
  // The numbers that the head gives for a text, or for each of its tokens.
  [[nodiscard]] uint32_t head_outputs() const;

  // The longest text in tokens. Positions before the first one that is used do not count.
  [[nodiscard]] uint32_t max_tokens() const {
    const uint32_t before = facts.positions_after_pad ? facts.pad_token_id + 1 : 0;
    return max_positions > before ? max_positions - before : 0;
  }
  [[nodiscard]] uint32_t embedding_width() const {
    return facts.embedding_size > 0 ? facts.embedding_size : hidden_size;
  }
  [[nodiscard]] uint32_t head_dim() const {
    return facts.head_dim > 0 ? facts.head_dim : hidden_size / num_heads;
  }
  // The width of a token's query: of all heads together.
  [[nodiscard]] uint64_t inner_size() const { return uint64_t{num_heads} * head_dim(); }
  // Whether each head of keys and values is for equally many heads.
  [[nodiscard]] bool kv_heads_divide() const {
    return facts.kv_heads == 0 || num_heads % facts.kv_heads == 0;
  }
  // The width of a token's key, and of its value.
  [[nodiscard]] uint64_t kv_inner_size() const {
    return facts.kv_heads > 0 ? uint64_t{facts.kv_heads} * head_dim() : inner_size();
  }
  // The layers that have weights of their own.
  [[nodiscard]] uint32_t weight_layers() const {
    return facts.layer_groups > 0 ? facts.layer_groups : num_layers;
  }
  // The numbers of a sentence vector, and with late interaction of a token's. Else a token's vector
  // has hidden_size.
  [[nodiscard]] uint32_t embedding_size() const {
    return dense.empty() ? hidden_size : dense.back().out_features;
  }

  friend bool operator==(const EncoderConfig&, const EncoderConfig&) = default;
};

// Whether the forward pass has this value of hidden_act.
[[nodiscard]] bool is_encoder_activation(std::string_view name, bool gated);

// Unsupported for an architecture that this module does not know (known_architectures()), for
// another activation or pooling. NotFound and Mismatch for dense layers that are incomplete.
// BadValue at a metadata value that cannot be right, such as heads that do not divide the width.
// Guesses become warnings.
[[nodiscard]] Result<EncoderConfig> encoder_config(const Model& model,
                                                   io::Diagnostics& diagnostics);
[[nodiscard]] Result<EncoderConfig> encoder_config(const Model& model);

}  // namespace ambry::model

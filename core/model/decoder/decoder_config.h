// The facts needed to run a decoder language model, under the same names for all formats. They come
// from Model::config, else from the tensors, else from AMB's defaults
// (core/formats/amb/README.md#config).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "io/diagnostics.h"
#include "model/decoder/rope_scaling.h"
#include "model/model.h"

namespace ambry::model {

enum class DecoderArchitecture : uint8_t { Llama, Mistral, Gemma, Phi2, Phi3, Gpt2, Falcon, Mpt };

// `llama`, `phi3`, ….
[[nodiscard]] std::string_view architecture_name(DecoderArchitecture architecture);

enum class DecoderNorm : uint8_t { Rms, Layer };
// Gelu is exact; GeluTanh is the approximation that gpt2 and gemma use.
enum class DecoderActivation : uint8_t { Silu, Gelu, GeluTanh, Relu };
enum class DecoderPositions : uint8_t { Rope, Learned, Alibi, None };
// Which dimensions of a head are rotated together: i and i + n/2 (Half), or 2i and 2i + 1
// (Interleaved).
enum class RopeStyle : uint8_t { Half, Interleaved };

struct DecoderConfig {
  DecoderArchitecture architecture = DecoderArchitecture::Llama;
  uint32_t n_vocab = 0;
  uint32_t n_embd = 0;
  uint32_t n_layers = 0;
  uint32_t n_heads = 0;
  uint32_t n_kv_heads = 0;
  uint32_t n_ff = 0;
  uint32_t head_dim = 0;
  uint32_t max_seq_len = 0;
  DecoderNorm norm = DecoderNorm::Rms;
  double norm_eps = 1e-5;
  double norm_offset = 0;  // added to the weights of norms: gemma stores them minus 1
  DecoderActivation activation = DecoderActivation::Silu;
  bool gated = true;  // down(act(gate(x)) * up(x)) instead of down(act(up(x)))
  DecoderPositions positions = DecoderPositions::Rope;
  double rope_freq_base = 10'000;
  RopeScaling rope_scaling;
  RopeStyle rope_style = RopeStyle::Half;
  double partial_rotary_factor = 1;  // share of a head's dimensions that are rotated
  uint32_t n_rotated = 0;            // number of a head's dimensions that are rotated
  bool tie_word_embeddings = false;
  bool attn_bias = false;
  bool mlp_bias = false;
  bool parallel_residual = false;          // whether attention and MLP read the same input
  std::optional<uint32_t> sliding_window;  // how many last positions attention sees
  double attn_softcap = 0;                 // 0: none
  double final_softcap = 0;                // 0: none
  double embed_scale = 1;

  friend bool operator==(const DecoderConfig&, const DecoderConfig&) = default;
};

// How the config says that the linear layers are stored: `linear_layout` "out_in" or "in_out", or
// the architecture's default. Parsers use it to set Model::linear_layout.
[[nodiscard]] Result<LinearLayout> decoder_linear_layout(const io::Json& config);

// Reads Model::config. When a key is absent, the key of Hugging Face's config.json is used
// (`hidden_size` for `n_embd`). NotFound for a missing fact; Unsupported for an unknown
// architecture, activation or scaling; BadValue for a value that cannot be right. Paths start with
// `config.`. Guesses become warnings.
[[nodiscard]] Result<DecoderConfig> decoder_config(const Model& model,
                                                   io::Diagnostics& diagnostics);

}  // namespace ambry::model

// The facts that a decoder language model needs to run, in one vocabulary for all formats: from
// Model::config where it states them, from the tensors and from AMB's defaults
// (core/formats/amb/README.md#config) where it does not.
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
// GeluTanh is the approximation that gpt2 and gemma use; Gelu the exact one.
enum class DecoderActivation : uint8_t { Silu, Gelu, GeluTanh, Relu };
enum class DecoderPositions : uint8_t { Rope, Learned, Alibi, None };
// Which numbers of a head turn together: i and i + n/2, or 2i and 2i + 1.
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
  double norm_offset = 0;  // added to the weights of norms; gemma's are stored minus 1
  DecoderActivation activation = DecoderActivation::Silu;
  bool gated = true;  // down(act(gate(x)) * up(x)) instead of down(act(up(x)))
  DecoderPositions positions = DecoderPositions::Rope;
  double rope_freq_base = 10'000;
  RopeScaling rope_scaling;
  RopeStyle rope_style = RopeStyle::Half;
  double partial_rotary_factor = 1;  // of the numbers of a head that are rotated
  uint32_t n_rotated = 0;            // the same, counted
  bool tie_word_embeddings = false;
  bool attn_bias = false;
  bool mlp_bias = false;
  bool parallel_residual = false;          // attention and MLP read the same input
  std::optional<uint32_t> sliding_window;  // of how many last positions attention sees
  double attn_softcap = 0;                 // 0: none
  double final_softcap = 0;                // 0: none
  double embed_scale = 1;

  friend bool operator==(const DecoderConfig&, const DecoderConfig&) = default;
};

// Which way round the config says the linear layers are stored: `linear_layout` "out_in" or
// "in_out", else what is usual for the architecture. For parsers, to set Model::linear_layout.
[[nodiscard]] Result<LinearLayout> decoder_linear_layout(const io::Json& config);

// Reads Model::config. Where a key is absent, the name that Hugging Face's config.json has for it
// counts (`hidden_size` for `n_embd`). NotFound at a missing fact, Unsupported for an architecture,
// activation or scaling that is not known here, BadValue for numbers that cannot be right; the
// paths start with `config.`. Guesses are warnings.
[[nodiscard]] Result<DecoderConfig> decoder_config(const Model& model,
                                                   io::Diagnostics& diagnostics);

}  // namespace ambry::model

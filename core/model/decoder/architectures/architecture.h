// The decoder architectures that run, and the properties that each has when a config does not state
// them. The forward pass knows properties only, so an architecture is a row in architecture.cpp:
// its properties and its tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/decoder/architectures/layer_kind.h"
#include "model/file/model.h"

namespace ambry::model {

// A value is the place of a row. An architecture needs a name here only if code asks for it.
enum class DecoderArchitecture : uint8_t {
  Llama,
  Mistral,
  Gemma,
  Phi2,
  Phi3,
  Gpt2,
  Falcon,
  Mpt,
  Qwen2,
  Qwen3,
  Gemma2,
  Gemma3,
  SmolLm3,
  Olmo2,
  Granite,
  StableLm,
  GptNeoX,
  GptJ,
  Starcoder2,
  MiniCpm,
  Arcee,
  Helium,
  Ernie45,
  HunYuanDense,
  Exaone4,
  Olmo3,
  Ministral3,
  Apertus,
  Lfm2,
  GraniteHybrid,
  FalconH1,
  NemotronH,
  Qwen35,
  Gemma3n,
  Gemma4,
};

enum class DecoderNorm : uint8_t { Rms, Layer };
// Gelu is exact; GeluTanh is the approximation that gpt2 and gemma use. Xielu has parameters in
// each layer (decoder_config.h).
enum class DecoderActivation : uint8_t { Silu, Gelu, GeluTanh, Relu, ReluSquared, Xielu };
enum class DecoderPositions : uint8_t { Rope, Learned, Alibi, None };
// Which dimensions of a head are rotated together: i and i + n/2 (Half), or 2i and 2i + 1
// (Interleaved).
enum class RopeStyle : uint8_t { Half, Interleaved };

struct ArchitectureDefaults {
  std::string_view name;
  DecoderNorm norm = DecoderNorm::Rms;
  double norm_eps = 1e-5;
  DecoderActivation activation = DecoderActivation::Silu;
  bool gated = true;
  DecoderPositions positions = DecoderPositions::Rope;
  RopeStyle rope_style = RopeStyle::Half;
  double partial_rotary_factor = 1;
  LinearLayout linear_layout = LinearLayout::OutIn;
  bool parallel_residual = false;
  bool qkv_per_head = false;
  bool is_gemma = false;                // norms are stored minus 1, embeddings are scaled
  uint32_t sliding_window_pattern = 0;  // every how many-th layer sees the whole context
  uint32_t no_rope_layer_interval = 0;  // every how many-th layer has no positions
  double rope_local_freq_base = 0;      // the base of layers with a window; 0: as the others
  bool rope_local_unscaled = false;     // only layers that see the whole context scale rotations
  bool only_local_rotates = false;      // layers that see all have no positions if others do not
  bool plain_norms = false;             // norms of a gemma are stored as they are
  bool value_norm = false;              // values are normalized, and scores are not scaled
  bool norm_after_rope = false;         // queries and keys are normalized once they are rotated
  bool attn_gate = false;               // each head's result is gated
  bool norms_minus_1 = false;           // norms are stored minus 1, as gemma's are
  LayerKinds layer_kinds = kinds_of({LayerKind::Attention});  // which kinds its layers may be of
  bool separate_mlp = false;        // a layer mixes tokens or has a feed-forward layer, not both
  bool experts = false;             // layers have a mixture of experts (expert_config.h)
  bool normalizes_experts = false;  // the weights of a token's experts sum up to 1
  bool sigmoid_router = false;      // scores of experts are sigmoids
  bool shared_experts = false;      // each token takes the ordinary part, too
  bool may_lack_experts = false;    // a config without a number of experts has none
  bool expert_norms = false;        // experts and the ordinary part have norms of their own
};

[[nodiscard]] const ArchitectureDefaults& architecture_defaults(DecoderArchitecture architecture);

// `llama`, `phi3`, ….
[[nodiscard]] std::string_view architecture_name(DecoderArchitecture architecture);

// All names that find_architecture() takes.
[[nodiscard]] std::vector<std::string_view> decoder_architecture_names();

// Takes other spellings too: `phi-3`. Not `phi`, which may be Phi-2 or Phi-3.
[[nodiscard]] std::optional<DecoderArchitecture> find_architecture(std::string_view name);

}  // namespace ambry::model

#include "model/decoder/architecture.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ambry::model {
namespace {

using Architecture = DecoderArchitecture;
using enum DecoderActivation;

// In the order of DecoderArchitecture.
constexpr std::array<ArchitectureDefaults, 19> kDefaults = {{
    {.name = "llama"},
    {.name = "mistral"},
    {.name = "gemma", .norm_eps = 1e-6, .activation = GeluTanh, .is_gemma = true},
    {.name = "phi2",
     .norm = DecoderNorm::Layer,
     .activation = GeluTanh,
     .gated = false,
     .partial_rotary_factor = 0.4,
     .parallel_residual = true},
    {.name = "phi3"},
    {.name = "gpt2",
     .norm = DecoderNorm::Layer,
     .activation = GeluTanh,
     .gated = false,
     .positions = DecoderPositions::Learned,
     .linear_layout = LinearLayout::InOut},
    {.name = "falcon",
     .norm = DecoderNorm::Layer,
     .activation = Gelu,
     .gated = false,
     .parallel_residual = true,
     .qkv_per_head = true},
    {.name = "mpt",
     .norm = DecoderNorm::Layer,
     .activation = Gelu,
     .gated = false,
     .positions = DecoderPositions::Alibi},
    {.name = "qwen2", .norm_eps = 1e-6},
    {.name = "qwen3", .norm_eps = 1e-6},
    {.name = "gemma2",
     .norm_eps = 1e-6,
     .activation = GeluTanh,
     .is_gemma = true,
     .sliding_window_pattern = 2},
    {.name = "gemma3",
     .norm_eps = 1e-6,
     .activation = GeluTanh,
     .is_gemma = true,
     .sliding_window_pattern = 6,
     .rope_local_freq_base = 10'000},
    {.name = "smollm3", .norm_eps = 1e-6, .no_rope_layer_interval = 4},
    {.name = "olmo2"},
    {.name = "granite", .norm_eps = 1e-6},
    {.name = "stablelm", .norm = DecoderNorm::Layer, .partial_rotary_factor = 0.25},
    {.name = "gpt_neox",
     .norm = DecoderNorm::Layer,
     .activation = Gelu,
     .gated = false,
     .partial_rotary_factor = 0.25,
     .parallel_residual = true,
     .qkv_per_head = true},
    {.name = "gptj",
     .norm = DecoderNorm::Layer,
     .activation = GeluTanh,
     .gated = false,
     .rope_style = RopeStyle::Interleaved,
     .parallel_residual = true},
    {.name = "starcoder2", .norm = DecoderNorm::Layer, .activation = GeluTanh, .gated = false},
}};

constexpr std::array<std::pair<std::string_view, Architecture>, 7> kOtherNames = {
    {{"phi-2", Architecture::Phi2},
     {"phi-3", Architecture::Phi3},
     {"gpt-2", Architecture::Gpt2},
     {"gemma3_text", Architecture::Gemma3},
     {"gptneox", Architecture::GptNeoX},
     {"gemma-embedding", Architecture::Gemma3},
     {"gpt-j", Architecture::GptJ}}};

}  // namespace

const ArchitectureDefaults& architecture_defaults(DecoderArchitecture architecture) {
  return kDefaults[static_cast<size_t>(architecture)];
}

std::string_view architecture_name(DecoderArchitecture architecture) {
  return architecture_defaults(architecture).name;
}

std::optional<DecoderArchitecture> find_architecture(std::string_view name) {
  const auto* row = std::ranges::find(kDefaults, name, &ArchitectureDefaults::name);
  if (row != kDefaults.end()) return static_cast<Architecture>(row - kDefaults.begin());
  const auto* other =
      std::ranges::find(kOtherNames, name, &std::pair<std::string_view, Architecture>::first);
  if (other != kOtherNames.end()) return other->second;
  return std::nullopt;
}

}  // namespace ambry::model

// What mixes the tokens in a layer of a decoder. Most models attend in every layer. Hybrid models
// have layers that keep a state of fixed size in place of keys and values.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace ambry::model {

enum class LayerKind : uint8_t {
  Attention,
  ShortConvolution,
  GatedDelta,
  StateSpace,              // Mamba-2
  AttentionAndStateSpace,  // both read the same input, and their results are added
  None,                    // only a feed-forward layer
};

struct LayerType {
  std::string_view name;  // in `layer_types`
  LayerKind kind;
};
// A layer with a sliding window attends, too (`sliding_attention`, layer_patterns.h).
inline constexpr auto kLayerTypes =
    std::to_array<LayerType>({{"full_attention", LayerKind::Attention},
                              {"conv", LayerKind::ShortConvolution},
                              {"linear_attention", LayerKind::GatedDelta},
                              {"mamba", LayerKind::StateSpace},
                              {"hybrid", LayerKind::AttentionAndStateSpace},
                              {"mlp", LayerKind::None}});

[[nodiscard]] constexpr bool attends(LayerKind kind) {
  return kind == LayerKind::Attention || kind == LayerKind::AttentionAndStateSpace;
}
[[nodiscard]] constexpr bool is_state_space(LayerKind kind) {
  return kind == LayerKind::StateSpace || kind == LayerKind::AttentionAndStateSpace;
}
[[nodiscard]] constexpr bool keeps_state(LayerKind kind) {
  return kind != LayerKind::Attention && kind != LayerKind::None;
}

// The name in `layer_types`.
[[nodiscard]] constexpr std::string_view layer_type_name(LayerKind kind) {
  return kLayerTypes[static_cast<size_t>(kind)].name;
}

// A set of kinds.
using LayerKinds = uint8_t;
[[nodiscard]] constexpr LayerKinds kinds_of(std::initializer_list<LayerKind> kinds) {
  unsigned bits = 0;
  for (const LayerKind kind : kinds) bits |= 1U << static_cast<unsigned>(kind);
  return static_cast<LayerKinds>(bits);
}
[[nodiscard]] constexpr bool has_kind(LayerKinds kinds, LayerKind kind) {
  return (kinds & kinds_of({kind})) != 0;
}

}  // namespace ambry::model

#include "infer/decoder/recurrent/state_shape.h"

namespace ambry::infer {

using model::LayerKind;

namespace {

// The window of the convolution, and the matrix of each head.
StateShape space_shape(const model::DecoderConfig& config) {
  const model::StateSpaceConfig& space = config.state_space;
  const size_t channels = space.channels();
  return {(config.conv_taps - 1) * channels + size_t{space.width()} * space.state_dim,
          channels + space.heads};
}

}  // namespace

StateShape state_shape(const model::DecoderConfig& config, uint32_t layer) {
  const size_t width = config.n_embd;
  switch (config.kind_of(layer)) {
    case LayerKind::ShortConvolution:
      return {(config.conv_taps - 1) * width, width};
    case LayerKind::StateSpace:
    case LayerKind::AttentionAndStateSpace:
      return space_shape(config);
    case LayerKind::GatedDelta: {
      const auto channels = static_cast<size_t>(config.delta.channels());
      return {(config.conv_taps - 1) * channels + static_cast<size_t>(config.delta.matrix_floats()),
              channels + 2 * size_t{config.delta.n_value_heads}};
    }
    default:
      return {};
  }
}

uint64_t most_state_bytes(const model::DecoderConfig& config) {
  uint64_t total = 0;
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    total += state_shape(config, layer).most_bytes();
  }
  return total;
}

size_t mixed_width(const model::DecoderConfig& config, uint32_t layer) {
  switch (config.kind_of(layer)) {
    case LayerKind::ShortConvolution:
      return config.n_embd;
    case LayerKind::StateSpace:
      return config.state_space.width();
    case LayerKind::GatedDelta:
      return static_cast<size_t>(config.delta.values());
    default:
      return size_t{config.n_heads} * config.head_dim_of(layer);
  }
}

size_t mixer_input_width(const model::DecoderConfig& config, uint32_t layer) {
  const LayerKind kind = config.kind_of(layer);
  if (is_state_space(kind)) return config.state_space.input_width();
  if (kind == LayerKind::GatedDelta) return static_cast<size_t>(config.delta.channels());
  return kind == LayerKind::ShortConvolution ? size_t{3} * config.n_embd : 0;
}

}  // namespace ambry::infer

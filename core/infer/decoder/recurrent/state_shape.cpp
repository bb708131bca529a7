#include "infer/decoder/recurrent/state_shape.h"

namespace ambry::infer {

using model::LayerKind;

StateShape state_shape(const model::DecoderConfig& config, uint32_t layer) {
  const size_t width = config.n_embd;
  switch (config.kind_of(layer)) {
    case LayerKind::ShortConvolution:
      return {(config.conv_taps - 1) * width, width};
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
  const LayerKind kind = config.kind_of(layer);
  return kind == LayerKind::ShortConvolution ? config.n_embd
                                             : size_t{config.n_heads} * config.head_dim;
}

size_t mixer_input_width(const model::DecoderConfig& config, uint32_t layer) {
  return config.kind_of(layer) == LayerKind::ShortConvolution ? size_t{3} * config.n_embd : 0;
}

}  // namespace ambry::infer

// The sizes of what a layer keeps of a sequence in place of keys and values (layer_kind.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "infer/decoder/weights/decoder_options.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

// States that are kept from further back (recurrent_state.h).
inline constexpr size_t kStateCheckpoints = 2;

struct StateShape {
  size_t state_floats = 0;  // of the state; 0: the layer keeps none
  size_t input_floats = 0;  // of what one token adds to it

  // The most that a sequence takes for the layer.
  [[nodiscard]] uint64_t most_bytes() const {
    const size_t states = (kStateCheckpoints + 2) * state_floats;
    return uint64_t{states + kPassRows * input_floats} * sizeof(float);
  }

  friend bool operator==(const StateShape&, const StateShape&) = default;
};

// A short convolution keeps the last inputs: [taps - 1][n_embd]; a token adds n_embd values. A
// state space keeps the last inputs of its channels and the matrix of each head; a token adds its
// channels and the time step of each head.
[[nodiscard]] StateShape state_shape(const model::DecoderConfig& config, uint32_t layer);

// The most that a sequence takes for the states of all layers.
[[nodiscard]] uint64_t most_state_bytes(const model::DecoderConfig& config);

// Values that a layer mixes for a token between its first and its last matrix: the input of the
// latter.
[[nodiscard]] size_t mixed_width(const model::DecoderConfig& config, uint32_t layer);
// Values that the first matrix of such a layer gives for a token.
[[nodiscard]] size_t mixer_input_width(const model::DecoderConfig& config, uint32_t layer);

}  // namespace ambry::infer

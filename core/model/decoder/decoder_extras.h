// What only some decoders have: layers that share keys and values, heads of two sizes, an embedding
// for each layer, several streams of the hidden state, and sparse activations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::model {

struct DecoderConfig;

inline constexpr uint32_t kMaxStreams = 8;

// Global layers are those that see the whole context.
struct DecoderExtras {
  // The last layers attend to the keys and values of the last layer before them that sees as much.
  uint32_t n_shared_kv = 0;
  uint32_t shared_ff = 0;           // n_ff of these layers; 0: as in the others
  uint32_t global_head_dim = 0;     // head_dim of global layers; 0: as in the others
  uint32_t global_kv_heads = 0;     // n_kv_heads of global layers; 0: as in the others
  double global_rotary_factor = 1;  // share of the pairs of a head that global layers rotate
  bool key_is_value = false;        // global layers take keys before their norm as values
  bool value_norm = false;          // values are normalized, by norms without weights
  uint32_t n_embd_per_layer = 0;    // width of each layer's own embedding; 0: there is none
  uint32_t n_vocab_per_layer = 0;   // its rows; later ids take the first row
  // Copies of the hidden state, of which the layers compute with the first; 0: there is only that.
  uint32_t n_streams = 0;
  uint32_t laurel_rank = 0;  // of the low-rank layer beside attention; 0: there is none
  // For each layer: a gate counts as far as it is above its row's mean by so many standard
  // deviations. Nothing: all of it counts. Empty: in no layer anything is left out.
  std::vector<std::optional<double>> sparsity;

  // How many standard deviations in this layer, if gates are cut there.
  [[nodiscard]] std::optional<double> sparsity_of(uint32_t layer) const {
    return layer < sparsity.size() ? sparsity[layer] : std::nullopt;
  }

  friend bool operator==(const DecoderExtras&, const DecoderExtras&) = default;
};

// Reads them into config.extras. The rest of `config` has been read. `table` is the embedding of
// the layers, or null. Paths of errors start with `config.`.
[[nodiscard]] Result<void> read_decoder_extras(const io::Json& json, const TensorEntry* table,
                                               DecoderConfig& config);

}  // namespace ambry::model

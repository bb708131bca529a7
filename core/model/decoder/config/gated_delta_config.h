// The sizes of the gated delta nets of a decoder (layer_kind.h), and how their heads are stored.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

struct GatedDeltaConfig {
  uint32_t n_key_heads = 0;  // and of queries
  uint32_t n_value_heads = 0;
  uint32_t key_dim = 0;  // of a head
  uint32_t value_dim = 0;
  // Which head of keys a head of values belongs to: h % n_key_heads, or h / (heads for each).
  bool tiled = false;

  [[nodiscard]] uint64_t keys() const { return uint64_t{n_key_heads} * key_dim; }
  [[nodiscard]] uint64_t values() const { return uint64_t{n_value_heads} * value_dim; }
  // What is convolved: queries, keys and values.
  [[nodiscard]] uint64_t channels() const { return 2 * keys() + values(); }
  // The numbers in the matrices [key][value] of all heads.
  [[nodiscard]] uint64_t matrix_floats() const {
    return n_value_heads * uint64_t{key_dim} * value_dim;
  }
  [[nodiscard]] uint32_t key_head_of(uint32_t value_head) const {
    return tiled ? value_head % n_key_heads : value_head / (n_value_heads / n_key_heads);
  }

  friend bool operator==(const GatedDeltaConfig&, const GatedDeltaConfig&) = default;
};

// Reads `linear_num_key_heads`, `linear_num_value_heads`, `linear_key_head_dim`,
// `linear_value_head_dim` and `linear_tiled`. NotFound for a missing size, BadValue for sizes that
// do not fit each other, LimitExceeded for a state above any model's.
[[nodiscard]] Result<GatedDeltaConfig> gated_delta_config(const io::Json& config);

}  // namespace ambry::model

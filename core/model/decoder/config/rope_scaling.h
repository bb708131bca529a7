// How rotary positions are scaled past the trained length: the `rope_scaling` of Hugging Face's
// config.json, or AMB's plain number (core/formats/amb/README.md#rope-scaling).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

struct RopeScaling {
  enum class Kind : uint8_t { None, Linear, Dynamic, Yarn, Llama3, LongRope };

  Kind kind = Kind::None;
  double factor = 1;
  std::optional<uint32_t> original_max_seq_len;  // nothing: the model's own length
  std::optional<double> attention_factor;        // Yarn, LongRope; nothing: computed
  double beta_fast = 32;                         // Yarn
  double beta_slow = 1;                          // Yarn
  double low_freq_factor = 1;                    // Llama3
  double high_freq_factor = 4;                   // Llama3
  std::vector<float> short_factor;  // LongRope: one for each pair of rotated dimensions
  std::vector<float> long_factor;   // LongRope

  friend bool operator==(const RopeScaling&, const RopeScaling&) = default;
};

// Reads `config.rope_scaling`, which may be absent, null, a number or an object. `n_rotated` is the
// number of rotated dimensions in a head. Unsupported for an unknown kind, BadValue for values that
// cannot be right.
[[nodiscard]] Result<RopeScaling> rope_scaling(const io::Json& config, uint32_t n_rotated);

// What Yarn and LongRope multiply rotated values by, for a model of `max_seq_len` positions.
[[nodiscard]] double rope_magnitude(const RopeScaling& scaling, uint32_t max_seq_len);

}  // namespace ambry::model

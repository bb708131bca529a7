// The facts of layers that are state spaces (Mamba-2; infer/decoder/steps/state_space_steps.h).
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

struct StateSpaceConfig {
  uint32_t heads = 0;  // 0: no layer is one
  uint32_t head_dim = 0;
  uint32_t state_dim = 0;
  uint32_t groups = 1;      // of adjacent heads that share B and C, and of what the norm takes
  bool norm_first = false;  // the norm comes before the gate
  double step_min = 0;      // limits of the time step
  double step_max = 0;      // 0: none
  // The factors of what the first matrix makes: gate, x, B, C and time step.
  std::array<double, 5> scales = {1, 1, 1, 1, 1};
  double out_scale = 1;  // of what the last matrix makes

  [[nodiscard]] uint32_t width() const { return heads * head_dim; }
  // x, B and C, which pass the convolution.
  [[nodiscard]] uint32_t channels() const { return width() + 2 * groups * state_dim; }
  // What the first matrix makes of a token.
  [[nodiscard]] uint32_t input_width() const { return width() + channels() + heads; }

  friend bool operator==(const StateSpaceConfig&, const StateSpaceConfig&) = default;
};

// Reads the keys `ssm_heads`, `ssm_head_dim`, `ssm_state_dim`, `ssm_groups`, `ssm_norm_first`,
// `ssm_step_min`, `ssm_step_max`, `ssm_scales` and `ssm_out_scale`. NotFound for a missing size;
// BadValue or LimitExceeded for one that cannot be right.
[[nodiscard]] Result<StateSpaceConfig> state_space_config(const io::Json& config);

}  // namespace ambry::model

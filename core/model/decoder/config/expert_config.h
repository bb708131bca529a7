// The facts of layers whose feed-forward part is a mixture of experts: a router gives each token a
// score for each expert, and the token takes the experts with the largest ones.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

struct ArchitectureDefaults;

struct ExpertConfig {
  uint32_t count = 0;        // in each layer that has experts; 0: no layer has any
  uint32_t used = 0;         // by a token
  uint32_t n_ff = 0;         // width of one expert
  uint32_t first_layer = 0;  // layers before this one have an ordinary feed-forward part
  bool sigmoid = false;      // each score is a sigmoid, instead of a softmax over all experts
  bool normalize = false;    // the weights of the experts that a token takes sum up to 1
  bool shared = false;       // the ordinary feed-forward part is added to what the experts give
  bool norms = false;        // both have norms of their own before they are added
  double scale = 1;          // of what the experts give

  [[nodiscard]] bool in_layer(uint32_t layer) const { return count > 0 && layer >= first_layer; }

  friend bool operator==(const ExpertConfig&, const ExpertConfig&) = default;
};

// Reads `n_experts`, `n_experts_used`, `n_ff_expert`, `n_dense_layers`, `norm_topk_prob` and
// `expert_scale`, or Hugging Face's names of them. Paths of errors start with `config.`. No experts
// if the architecture has none, or may lack them and the config states none: NotFound or BadValue
// for numbers that cannot be right, LimitExceeded for more experts than are supported, and
// Unsupported for another arrangement. `n_ff` is the width of experts if the config states none.
[[nodiscard]] Result<ExpertConfig> expert_config(const io::Json& config,
                                                 const ArchitectureDefaults& defaults,
                                                 uint32_t n_layers, uint32_t n_ff);

}  // namespace ambry::model

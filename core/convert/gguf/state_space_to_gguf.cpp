#include "convert/gguf/state_space_to_gguf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "convert/gguf/metadata_keys.h"

namespace ambry::convert {
namespace {

using model::DecoderConfig;
using Architecture = model::DecoderArchitecture;

// The factors of a falcon_h1, by the pattern of the matrix that they become part of.
double factor_of(const DecoderConfig& facts, std::string_view pattern) {
  const double scores =
      facts.attn_scale == 0 ? 1 : facts.attn_scale * std::sqrt(static_cast<double>(facts.head_dim));
  const std::pair<std::string_view, double> factors[] = {
      {"token_embd", facts.embed_scale},
      {"output", facts.logit_scale},
      {"blk.#.attn_k", scores},
      {"blk.#.attn_output", facts.attn_out_scale},
      {"blk.#.ffn_gate", facts.mlp_gate_scale},
      {"blk.#.ffn_down", facts.mlp_out_scale},
      {"blk.#.ssm_out", facts.state_space.out_scale}};
  const auto* found =
      std::ranges::find(factors, pattern, &std::pair<std::string_view, double>::first);
  return found == std::end(factors) ? 1 : found->second;
}

// Multiplies rows of the first matrix of a state space, which belong to its five parts.
struct ScaleParts {
  model::StateSpaceConfig space;

  [[nodiscard]] float factor(uint64_t row) const {
    const uint64_t group = uint64_t{space.groups} * space.state_dim;
    const uint64_t ends[] = {space.width(), space.width(), group, group, space.heads};
    size_t part = 0;
    while (part + 1 < std::size(ends) && row >= ends[part]) row -= ends[part++];
    return static_cast<float>(space.scales[part]);
  }
  void operator()(const RowChange::Values& /*companions*/, uint64_t first_row, uint64_t n_cols,
                  std::span<float> rows) const {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] *= factor(first_row + i / n_cols);
  }
};

}  // namespace

Result<void> check_state_spaces(const DecoderConfig& facts) {
  const model::StateSpaceConfig& space = facts.state_space;
  if (space.heads == 0) return {};
  if (space.norm_first) return no_gguf_key("the norm of a state space before its gate");
  if (space.step_min != 0 || space.step_max != 0) return no_gguf_key("limits of time steps");
  if (!facts.conv_bias) return no_gguf_key("the convolution of a state space without a bias");
  if (!facts.state_norm && facts.architecture != Architecture::FalconH1) {
    return no_gguf_key("state spaces without a norm");
  }
  if (facts.architecture == Architecture::GraniteHybrid &&
      space.width() != uint64_t{2} * facts.n_embd) {
    return no_gguf_key("state spaces of a granitehybrid that are not twice as wide as it is");
  }
  const bool scaled = facts.embed_scale != 1 || facts.logit_scale != 1;
  if (facts.architecture == Architecture::FalconH1 && scaled && facts.tie_word_embeddings) {
    return no_gguf_key("the scales of an embedding that is the output, too");
  }
  return {};
}

void put_state_spaces(const DecoderConfig& facts,
                      const std::function<void(std::string_view, io::Json)>& put) {
  const model::StateSpaceConfig& space = facts.state_space;
  if (space.heads == 0) return;
  put("ssm.conv_kernel", facts.conv_taps);
  put("ssm.inner_size", space.width());
  put("ssm.state_size", space.state_dim);
  put("ssm.time_step_rank", space.heads);
  put("ssm.group_count", space.groups);
  if (!facts.separate_mlp) return;
  io::Json widths = io::Json::array();
  for (uint32_t layer = 0; layer < facts.n_layers; ++layer) {
    widths.append(facts.has_mlp(layer) ? facts.n_ff : 0U);
  }
  put("feed_forward_length", std::move(widths));
  put("attention.layer_norm_epsilon", facts.norm_eps);
}

RowChange state_space_change(const DecoderConfig& facts, std::string_view pattern) {
  RowChange change;
  if (pattern == "blk.#.ssm_a" && facts.decay_is_log) {
    change.apply = [](const RowChange::Values&, uint64_t, uint64_t, std::span<float> rows) {
      for (float& value : rows) value = -std::exp(value);
    };
  }
  if (facts.architecture != Architecture::FalconH1) return change;
  const auto& scales = facts.state_space.scales;
  const bool differ = std::ranges::any_of(scales, [](double scale) { return scale != 1; });
  if (pattern == "blk.#.ssm_in" && differ) change.apply = ScaleParts{facts.state_space};
  const auto factor = static_cast<float>(factor_of(facts, pattern));
  if (factor == 1) return change;
  change.apply = [factor](const RowChange::Values&, uint64_t, uint64_t, std::span<float> rows) {
    for (float& value : rows) value *= factor;
  };
  return change;
}

}  // namespace ambry::convert

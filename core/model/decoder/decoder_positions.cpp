#include "model/decoder/decoder_positions.h"

#include <algorithm>
#include <cstdint>

#include "model/decoder/architectures/architecture.h"
#include "model/decoder/decoder_choices.h"
#include "model/decoder/layer_patterns.h"

namespace ambry::model {
namespace {

constexpr uint32_t kDefaultSeqLen = 2048;  // from the published AMB example

Result<void> read_rope(const ConfigFields& fields, DecoderConfig& config) {
  const ArchitectureDefaults& defaults = architecture_defaults(config.architecture);
  const char* base = fields.key("rope_freq_base", "rope_theta");
  AMBRY_RETURN_IF_ERROR(fields.read({{base, config.rope_freq_base}}));
  if (!(config.rope_freq_base > 0)) {
    return fields.fail(base, ErrorCode::BadValue, "must be a number above 0");
  }
  config.partial_rotary_factor = defaults.partial_rotary_factor;
  AMBRY_RETURN_IF_ERROR(fields.read({{"partial_rotary_factor", config.partial_rotary_factor}}));
  if (!(config.partial_rotary_factor > 0 && config.partial_rotary_factor <= 1)) {
    return fields.fail("partial_rotary_factor", ErrorCode::BadValue, "must be between 0 and 1");
  }
  // A share of whole dimensions may be rounded down a little.
  constexpr double kRounding = 1e-6;
  config.n_rotated =
      static_cast<uint32_t>(config.head_dim * config.partial_rotary_factor + kRounding);
  if (config.n_rotated == 0 || config.n_rotated % 2 != 0) {
    return fields.fail(
        fields.has("partial_rotary_factor") ? "partial_rotary_factor"
                                            : fields.key("head_dim", "head_size"),
        ErrorCode::BadValue,
        {config.n_rotated, " rotated numbers of ", config.head_dim, " a head: they must be pairs"});
  }
  config.rope_style = defaults.rope_style;
  AMBRY_RETURN_IF_ERROR(fields.read_choice("rope_style", kRopeStyles, config.rope_style));
  AMBRY_TRY(config.rope_scaling, rope_scaling(fields.json(), config.n_rotated));
  AMBRY_TRY(config.rotated_layers, rotated_layers(fields.json(), defaults, config.n_layers));
  config.norm_after_rope = defaults.norm_after_rope;
  const char* local = fields.key("rope_local_freq_base", "rope_local_base_freq");
  config.rope_local_freq_base = defaults.rope_local_freq_base;
  if (defaults.rope_local_unscaled && config.rope_scaling.kind != RopeScaling::Kind::None) {
    config.rope_local_freq_base = config.rope_freq_base;
  }
  AMBRY_RETURN_IF_ERROR(fields.read({{local, config.rope_local_freq_base}}));
  if (config.rope_local_freq_base >= 0) return {};
  return fields.fail(local, ErrorCode::BadValue, "must not be negative");
}

Result<void> read_max_seq_len(const ConfigFields& fields, const TensorEntry* table,
                              io::Diagnostics& diagnostics, DecoderConfig& config) {
  const ArchitectureDefaults& defaults = architecture_defaults(config.architecture);
  const char* name =
      fields.key(fields.key("max_seq_len", "context_length"), "max_position_embeddings");
  if (!fields.has(name)) {
    const bool counted = table != nullptr && table->shape.rank() == 2;
    config.max_seq_len =
        counted ? static_cast<uint32_t>(std::min<uint64_t>(table->shape[0], UINT32_MAX))
                : kDefaultSeqLen;
    if (!counted) {
      diagnostics.warn(fields.fail(
          name, ErrorCode::NotFound,
          {"the config does not state this value; assuming ", kDefaultSeqLen, " positions"}));
    }
  }
  AMBRY_RETURN_IF_ERROR(fields.require(name, config.max_seq_len));
  uint32_t window = 0;
  AMBRY_RETURN_IF_ERROR(fields.read({{"sliding_window", window}}));
  // Where tokens see later ones, a window reaches half of it to either side.
  const uint32_t reach = config.bidirectional ? window / 2 + 1 : window;
  if (window > 0 && reach < config.max_seq_len) config.sliding_window = window;
  AMBRY_TRY(config.local_layers, local_layers(fields.json(), defaults, config.n_layers));
  if (defaults.only_local_rotates && window > 0 && config.rotated_layers.empty()) {
    config.rotated_layers = config.local_layers;
  }
  return {};
}

}  // namespace

Result<void> read_positions(const ConfigFields& fields, const TensorEntry* table,
                            io::Diagnostics& diagnostics, DecoderConfig& config) {
  const ArchitectureDefaults& defaults = architecture_defaults(config.architecture);
  const bool has_table = table != nullptr;
  bool rope = defaults.positions == DecoderPositions::Rope;
  bool alibi = defaults.positions == DecoderPositions::Alibi && !has_table;
  AMBRY_RETURN_IF_ERROR(fields.read({{"is_rope", rope}, {"alibi", alibi}}));
  if (alibi) {
    config.positions = DecoderPositions::Alibi;
  } else if (rope) {
    config.positions = DecoderPositions::Rope;
  } else {
    config.positions = has_table || defaults.positions == DecoderPositions::Learned
                           ? DecoderPositions::Learned
                           : DecoderPositions::None;
  }
  if (config.positions == DecoderPositions::Rope) AMBRY_RETURN_IF_ERROR(read_rope(fields, config));
  return read_max_seq_len(fields, table, diagnostics, config);
}

}  // namespace ambry::model

#include "model/decoder/config/state_space_config.h"

#include <utility>

#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;

// Far above any real model, whose widest has 2^14. Keeps sums of widths within 32 bits.
constexpr uint32_t kMaxSpaceWidth = 1 << 20;

Failure bad_space(const Json& config, const char* key, ErrorCode code, const Text& message) {
  return metadata_error(config, key, code, message, "config");
}

Result<void> read_sizes_of(const Json& config, StateSpaceConfig& space) {
  const std::pair<const char*, uint32_t&> sizes[] = {{"ssm_heads", space.heads},
                                                     {"ssm_head_dim", space.head_dim},
                                                     {"ssm_state_dim", space.state_dim},
                                                     {"ssm_groups", space.groups}};
  for (const auto& [key, size] : sizes) {
    AMBRY_RETURN_IF_ERROR(read_values(config, {{key, size}}, "config"));
    if (size == 0 && !has_value(config, key)) {
      return bad_space(config, key, ErrorCode::NotFound, "the config does not state this value");
    }
    if (size == 0) return bad_space(config, key, ErrorCode::BadValue, "must be at least 1");
  }
  const auto check = [&](const char* key, uint64_t width) -> Result<void> {
    if (width <= kMaxSpaceWidth) return {};
    return bad_space(config, key, ErrorCode::LimitExceeded,
                     {"a width of ", width, ", at most ", kMaxSpaceWidth, " is supported"});
  };
  AMBRY_RETURN_IF_ERROR(check("ssm_heads", uint64_t{space.heads} * space.head_dim));
  AMBRY_RETURN_IF_ERROR(check("ssm_state_dim", uint64_t{space.groups} * space.state_dim));
  if (space.heads % space.groups == 0) return {};
  return bad_space(config, "ssm_groups", ErrorCode::BadValue,
                   {space.groups, " groups do not divide ", space.heads, " heads"});
}

Result<void> read_space_scales(const Json& config, StateSpaceConfig& space) {
  constexpr const char* kScales = "ssm_scales";
  if (!has_value(config, kScales)) return {};
  const Json& list = *config.find(kScales);
  if (!list.is_array() || list.items().size() != space.scales.size()) {
    return bad_space(config, kScales, ErrorCode::BadValue,
                     {"expected a list of ", space.scales.size(), " numbers"});
  }
  for (size_t i = 0; i < space.scales.size(); ++i) {
    if (!list.items()[i].is_number()) {
      return bad_space(config, kScales, ErrorCode::BadValue,
                       {"value ", i, " is ", list.items()[i].dump(), ", which is no number"});
    }
    space.scales[i] = list.items()[i].number();
  }
  return {};
}

}  // namespace

Result<StateSpaceConfig> state_space_config(const Json& config) {
  StateSpaceConfig space;
  AMBRY_RETURN_IF_ERROR(read_sizes_of(config, space));
  AMBRY_RETURN_IF_ERROR(read_values(config,
                                    {{"ssm_norm_first", space.norm_first},
                                     {"ssm_step_min", space.step_min},
                                     {"ssm_step_max", space.step_max},
                                     {"ssm_out_scale", space.out_scale}},
                                    "config"));
  const bool limits = space.step_min >= 0 && space.step_max >= 0 &&
                      (space.step_max == 0 || space.step_min <= space.step_max);
  if (!limits) {
    return bad_space(config, "ssm_step_max", ErrorCode::BadValue,
                     "must be 0, for none, or at least ssm_step_min, which must not be negative");
  }
  AMBRY_RETURN_IF_ERROR(read_space_scales(config, space));
  return space;
}

}  // namespace ambry::model

#include "model/decoder/config/gated_delta_config.h"

#include <utility>

#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

constexpr const char* kKeyHeads = "linear_num_key_heads";
constexpr const char* kValueHeads = "linear_num_value_heads";
constexpr const char* kKeyDim = "linear_key_head_dim";
constexpr const char* kValueDim = "linear_value_head_dim";
// Real heads have 128 values, and models at most 64 heads.
constexpr uint32_t kMostHeads = 4096;
constexpr uint32_t kMostValues = 4096;
constexpr uint64_t kMostFloats = uint64_t{1} << 26;

Failure bad_size(const io::Json& config, const char* key, ErrorCode code, const Text& message) {
  return metadata_error(config, key, code, message, "config");
}

Result<void> read_size(const io::Json& config, const char* key, uint32_t most, uint32_t& out) {
  AMBRY_RETURN_IF_ERROR(read_values(config, {{key, out}}, "config"));
  if (out > most) {
    return bad_size(config, key, ErrorCode::LimitExceeded, {"at most ", most, " are supported"});
  }
  if (out > 0) return {};
  return has_value(config, key)
             ? bad_size(config, key, ErrorCode::BadValue, "must be at least 1")
             : bad_size(config, key, ErrorCode::NotFound, "the config does not state this value");
}

}  // namespace

Result<GatedDeltaConfig> gated_delta_config(const io::Json& config) {
  GatedDeltaConfig sizes;
  AMBRY_RETURN_IF_ERROR(read_size(config, kKeyHeads, kMostHeads, sizes.n_key_heads));
  AMBRY_RETURN_IF_ERROR(read_size(config, kValueHeads, kMostHeads, sizes.n_value_heads));
  AMBRY_RETURN_IF_ERROR(read_size(config, kKeyDim, kMostValues, sizes.key_dim));
  AMBRY_RETURN_IF_ERROR(read_size(config, kValueDim, kMostValues, sizes.value_dim));
  AMBRY_RETURN_IF_ERROR(read_values(config, {{"linear_tiled", sizes.tiled}}, "config"));
  if (sizes.n_value_heads % sizes.n_key_heads != 0) {
    return bad_size(config, kKeyHeads, ErrorCode::BadValue,
                    {sizes.n_key_heads, " heads of keys do not divide ", sizes.n_value_heads,
                     " heads of values"});
  }
  if (sizes.matrix_floats() <= kMostFloats) return sizes;
  return bad_size(config, kValueHeads, ErrorCode::LimitExceeded,
                  {"a layer would keep ", sizes.matrix_floats(), " numbers of a sequence, at most ",
                   kMostFloats, " are supported"});
}

}  // namespace ambry::model

#include "model/decoder/config/rope_scaling.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

constexpr const char* kScalingSection = "config.rope_scaling";

using Kind = RopeScaling::Kind;
using NamedKind = std::pair<std::string_view, Kind>;
// `su` is an older name of longrope.
constexpr std::array<NamedKind, 7> kKinds = {{{"default", Kind::None},
                                              {"linear", Kind::Linear},
                                              {"dynamic", Kind::Dynamic},
                                              {"yarn", Kind::Yarn},
                                              {"llama3", Kind::Llama3},
                                              {"longrope", Kind::LongRope},
                                              {"su", Kind::LongRope}}};

Failure fail(const io::Json& object, const char* key, ErrorCode code, const Text& message) {
  return metadata_error(object, key, code, message, kScalingSection);
}

Result<Kind> read_kind(const io::Json& object) {
  const char* key = has_value(object, "rope_type") ? "rope_type" : "type";
  const auto text = metadata_text(object, key);
  if (!text)
    return fail(object, key, ErrorCode::BadValue, "expected the name of a kind of scaling");
  for (const auto& [name, kind] : kKinds) {
    if (name == *text) return kind;
  }
  return fail(object, key, ErrorCode::Unsupported, {"\"", *text, "\" is not supported"});
}

// Reads one positive factor for each pair of rotated dimensions.
Result<std::vector<float>> read_factors(const io::Json& object, const char* key,
                                        uint32_t n_rotated) {
  const io::Json* list = object.find(key);
  if (list == nullptr || !list->is_array() || list->items().size() != n_rotated / 2) {
    return fail(object, key, ErrorCode::BadValue,
                {"expected a list of ", n_rotated / 2, " numbers"});
  }
  std::vector<float> factors;
  factors.reserve(list->items().size());
  for (const io::Json& item : list->items()) {
    if (!item.is_number() || !(item.number() > 0)) {
      return fail(object, key, ErrorCode::BadValue, "each factor must be a number above 0");
    }
    factors.push_back(static_cast<float>(item.number()));
  }
  return factors;
}

Result<void> read_optional(const io::Json& object, const char* key, std::optional<double>& out) {
  if (!has_value(object, key)) return {};
  return read_values(object, {{key, out.emplace()}}, kScalingSection);
}

double yarn_magnitude(double factor, double multiplier) {
  return factor <= 1 ? 1 : 0.1 * multiplier * std::log(factor) + 1;
}

// Models of DeepSeek's kind state the magnitude as a quotient of two others.
Result<void> read_yarn(const io::Json& object, RopeScaling& scaling) {
  bool truncate = true;
  double mscale = 0;
  double of_all = 0;
  AMBRY_RETURN_IF_ERROR(
      read_values(object, {{"truncate", truncate}, {"mscale", mscale}, {"mscale_all_dim", of_all}},
                  kScalingSection));
  if (!truncate) {
    return fail(object, "truncate", ErrorCode::Unsupported, "turned off, which is not supported");
  }
  if (scaling.attention_factor || mscale == 0 || of_all == 0) return {};
  scaling.attention_factor =
      yarn_magnitude(scaling.factor, mscale) / yarn_magnitude(scaling.factor, of_all);
  return {};
}

Result<RopeScaling> read_object(const io::Json& object, uint32_t n_rotated) {
  RopeScaling scaling;
  AMBRY_TRY(scaling.kind, read_kind(object));
  AMBRY_RETURN_IF_ERROR(read_values(object,
                                    {{"factor", scaling.factor},
                                     {"beta_fast", scaling.beta_fast},
                                     {"beta_slow", scaling.beta_slow},
                                     {"low_freq_factor", scaling.low_freq_factor},
                                     {"high_freq_factor", scaling.high_freq_factor}},
                                    kScalingSection));
  AMBRY_RETURN_IF_ERROR(read_optional(object, "attention_factor", scaling.attention_factor));
  constexpr const char* kOriginal = "original_max_position_embeddings";
  if (has_value(object, kOriginal)) {
    AMBRY_RETURN_IF_ERROR(read_values(object, {{kOriginal, scaling.original_max_seq_len.emplace()}},
                                      kScalingSection));
  }
  if (!(scaling.factor > 0)) {
    return fail(object, "factor", ErrorCode::BadValue, "must be a number above 0");
  }
  if (scaling.kind == Kind::Llama3 && scaling.high_freq_factor <= scaling.low_freq_factor) {
    return fail(object, "high_freq_factor", ErrorCode::BadValue, "must be above low_freq_factor");
  }
  if (scaling.kind == Kind::Yarn) AMBRY_RETURN_IF_ERROR(read_yarn(object, scaling));
  if (scaling.kind == Kind::LongRope) {
    AMBRY_TRY(scaling.short_factor, read_factors(object, "short_factor", n_rotated));
    AMBRY_TRY(scaling.long_factor, read_factors(object, "long_factor", n_rotated));
  }
  return scaling;
}

}  // namespace

Result<RopeScaling> rope_scaling(const io::Json& config, uint32_t n_rotated) {
  if (!has_value(config, "rope_scaling")) return RopeScaling();
  const io::Json& value = *config.find("rope_scaling");
  if (value.is_object()) return read_object(value, n_rotated);
  if (!value.is_number() || !(value.number() > 0)) {
    return metadata_error(config, "rope_scaling", ErrorCode::BadValue,
                          "expected a number above 0 or an object", "config");
  }
  RopeScaling scaling;
  scaling.factor = value.number();
  if (scaling.factor != 1) scaling.kind = Kind::Linear;
  return scaling;
}

double rope_magnitude(const RopeScaling& scaling, uint32_t max_seq_len) {
  if (scaling.kind != Kind::Yarn && scaling.kind != Kind::LongRope) return 1;
  if (scaling.attention_factor) return *scaling.attention_factor;
  if (scaling.kind == Kind::Yarn) return yarn_magnitude(scaling.factor, 1);
  const double original = scaling.original_max_seq_len.value_or(max_seq_len);
  const double stretch = scaling.original_max_seq_len ? max_seq_len / original : scaling.factor;
  return stretch <= 1 ? 1 : std::sqrt(1 + std::log(stretch) / std::log(original));
}

}  // namespace ambry::model

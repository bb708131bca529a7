#include "formats/gguf/rope_facts.h"

#include <array>
#include <cmath>
#include <utility>

#include "formats/gguf/config.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/architectures/architecture.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

// Whether models of this architecture rotate all of a head where nothing is stated.
bool rotates_whole_heads(const Json& config) {
  const auto name = model::metadata_text(config, "architecture").value_or("");
  const GgufArchitecture* known = find_gguf_architecture(name);
  const auto architecture = model::find_architecture(known == nullptr ? "" : known->other);
  return !architecture || model::architecture_defaults(*architecture).partial_rotary_factor == 1;
}

// What llama.cpp multiplies values by that YaRN has rotated, unless it is what a config without the
// key has.
void add_yarn_magnitude(const model::Model& model, Json& scaling) {
  const auto number = [&](std::string_view suffix, double fallback) {
    const Json* value = architecture_value(model, suffix);
    return value != nullptr && value->is_number() ? value->number() : fallback;
  };
  const double all = number("rope.scaling.yarn_log_multiplier", 0);
  const double given = number("rope.scaling.attn_factor", 1);
  const double factor = number("rope.scaling.factor", 1);
  if ((all == 0 && given == 1) || !(factor > 0)) return;
  const auto scale_of = [&](double multiplier) {
    return factor <= 1 ? 1 : 0.1 * multiplier * std::log(factor) + 1;
  };
  scaling.set("attention_factor", given * scale_of(1) / (all == 0 ? 1 : scale_of(all)));
}

}  // namespace

void add_rotation(const model::Model& model, Json& config) {
  const Json* rotated = architecture_value(model, "rope.dimension_count");
  const Json* heads = config.find("n_heads");
  const Json* width = config.find("n_embd");
  if (rotated == nullptr || !rotated->is_uint() || heads == nullptr || width == nullptr ||
      !heads->is_uint() || !width->is_uint() || heads->uint() == 0) {
    return;
  }
  const Json* stated = config.find("head_dim");
  const uint64_t head_dim =
      stated != nullptr && stated->is_uint() ? stated->uint() : width->uint() / heads->uint();
  if (head_dim == 0 || (rotated->uint() == head_dim && rotates_whole_heads(config))) return;
  config.set("partial_rotary_factor",
             static_cast<double>(rotated->uint()) / static_cast<double>(head_dim));
}

void add_scaling(const model::Model& model, Json& config) {
  constexpr auto kKeys = std::to_array<std::pair<const char*, const char*>>(
      {{"factor", "rope.scaling.factor"},
       {"original_max_position_embeddings", "rope.scaling.original_context_length"},
       {"beta_fast", "rope.scaling.yarn_beta_fast"},
       {"beta_slow", "rope.scaling.yarn_beta_slow"}});
  const Json* type = architecture_value(model, "rope.scaling.type");
  if (type == nullptr || !type->is_string() || type->string() == "none") return;
  if (type->string() == kLongRope) return;  // gguf_decoder.cpp reads it
  Json scaling = Json::object();
  scaling.append_member("type", *type);
  for (const auto& [name, suffix] : kKeys) {
    const Json* value = architecture_value(model, suffix);
    if (value != nullptr) scaling.append_member(name, *value);
  }
  if (type->string() == "yarn") add_yarn_magnitude(model, scaling);
  config.set("rope_scaling", std::move(scaling));
}

}  // namespace ambry::formats::gguf

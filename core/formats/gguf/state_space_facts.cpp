#include "formats/gguf/state_space_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/gguf/config.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;
using model::Model;

constexpr auto kSpaceArchitectures =
    std::to_array<std::string_view>({kGraniteHybrid, "falcon-h1", "nemotron_h"});

constexpr std::string_view kSpaceWidth = "ssm.inner_size";  // of all heads together
constexpr auto kSpaceKeys = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"conv_taps", "ssm.conv_kernel"},
     {"ssm_heads", "ssm.time_step_rank"},
     {"ssm_head_dim", kSpaceWidth},
     {"ssm_state_dim", "ssm.state_size"},
     {"ssm_groups", "ssm.group_count"}});

// The value for a layer of a fact that may be a list.
uint64_t count_of_layer(const Json* fact, size_t layer) {
  if (fact == nullptr) return 0;
  const Json* value = fact;
  if (fact->is_array()) {
    if (layer >= fact->items().size()) return 0;
    value = &fact->items()[layer];
  }
  return value->is_uint() ? value->uint() : 0;
}

Json layer_types_of(const Model& model, std::string_view architecture) {
  const Json* heads = architecture_value(model, "attention.head_count_kv");
  const Json* widths = architecture_value(model, "feed_forward_length");
  Json types = Json::array();
  const size_t n = heads != nullptr && heads->is_array() ? heads->items().size() : 0;
  for (size_t layer = 0; layer < n; ++layer) {
    const bool is_mlp = architecture == "nemotron_h" && count_of_layer(widths, layer) > 0;
    const bool attends = count_of_layer(heads, layer) > 0;
    types.append(attends ? "full_attention" : is_mlp ? "mlp" : "mamba");
  }
  return types;
}

}  // namespace

void add_state_spaces(const Model& model, std::string_view architecture, Json& config) {
  if (std::ranges::find(kSpaceArchitectures, architecture) == kSpaceArchitectures.end()) return;
  for (const auto& [name, suffix] : kSpaceKeys) {
    const Json* value = architecture_value(model, suffix);
    if (value != nullptr && name != "ssm_head_dim") config.set(name, *value);
  }
  const uint64_t width = count_of_layer(architecture_value(model, kSpaceWidth), 0);
  const uint64_t heads = count_of_layer(config.find("ssm_heads"), 0);
  if (heads > 0 && width % heads == 0) config.set("ssm_head_dim", width / heads);
  config.set("ssm_a_log", false);
  config.set("conv_bias", true);
  const bool has_norm = std::ranges::any_of(model.tensors, [](const model::TensorEntry& tensor) {
    return tensor.name.ends_with(".ssm_norm.weight");
  });
  config.set("ssm_norm", has_norm || architecture != "falcon-h1");
  if (architecture != "falcon-h1") config.set("layer_types", layer_types_of(model, architecture));
}

std::string_view state_space_key(std::string_view name) {
  const auto* found = std::ranges::find(kSpaceKeys, name, &decltype(kSpaceKeys)::value_type::first);
  return found == kSpaceKeys.end() ? std::string_view() : found->second;
}

}  // namespace ambry::formats::gguf

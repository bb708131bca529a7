#include "formats/gguf/gated_delta_facts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "formats/gguf/config.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

// More than any model has. Keeps a hostile value from growing a list.
constexpr uint64_t kMostDeltaLayers = 512;
constexpr uint64_t kUsualInterval = 4;

// 0 for what is absent or no such number.
uint64_t count_of(const Json* value) {
  return value != nullptr && value->is_uint() ? value->uint() : 0;
}

// A list of which layers keep a state, or every how many-th layer attends.
Json types_of(const model::Model& file, uint64_t n_layers) {
  const Json* listed = architecture_value(file, kRecurrentLayers);
  const bool has_list = listed != nullptr && listed->is_array();
  const Json* stated = architecture_value(file, kAttentionInterval);
  const uint64_t interval = stated == nullptr ? kUsualInterval : count_of(stated);
  Json types = Json::array();
  for (uint64_t i = 0; i < std::min(n_layers, kMostDeltaLayers); ++i) {
    bool keeps_state = interval == 0 || (i + 1) % interval != 0;
    if (has_list && i < listed->items().size()) {
      const Json& item = listed->items()[static_cast<size_t>(i)];
      keeps_state = item.is_bool() ? item.boolean() : count_of(&item) != 0;
    }
    types.append(keeps_state ? "linear_attention" : "full_attention");
  }
  return types;
}

}  // namespace

void add_gated_delta_facts(const model::Model& file, Json& config) {
  for (const auto& [name, suffix] : kDeltaFacts) {
    if (const Json* value = architecture_value(file, suffix)) config.set(name, *value);
  }
  const uint64_t n_heads = count_of(config.find("linear_num_value_heads"));
  const uint64_t width = count_of(config.find("linear_value_head_dim"));
  if (n_heads > 0 && width % n_heads == 0) config.set("linear_value_head_dim", width / n_heads);
  const uint64_t n_blocks = count_of(config.find("n_layers"));
  const uint64_t n_guessing = count_of(architecture_value(file, kGuessingLayers));
  const uint64_t n_layers = n_blocks - std::min(n_blocks, n_guessing);
  if (n_guessing > 0) config.set("n_layers", n_layers);
  config.set("layer_types", types_of(file, n_layers));
  config.set("linear_tiled", true);
  config.set("ssm_a_log", false);
  config.set("norm_offset", 0);
}

}  // namespace ambry::formats::gguf

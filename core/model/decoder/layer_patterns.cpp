#include "model/decoder/layer_patterns.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/concat.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;

constexpr const char* kTypes = "layer_types";
constexpr const char* kNoRope = "no_rope_layers";

Failure bad_pattern(const Json& config, const char* key, ErrorCode code, const Text& message) {
  return metadata_error(config, key, code, message, "config");
}

// All layers but every n-th; empty for n = 0.
Result<std::vector<bool>> all_but_every(const Json& config, const char* key, uint32_t n,
                                        uint32_t n_layers) {
  AMBRY_RETURN_IF_ERROR(read_values(config, {{key, n}}, "config"));
  std::vector<bool> layers;
  if (n == 0) return layers;
  for (uint32_t layer = 0; layer < n_layers; ++layer) layers.push_back((layer + 1) % n != 0);
  return layers;
}

Result<void> check_length(const Json& config, const char* key, uint32_t n_layers) {
  const Json& list = *config.find(key);
  if (list.is_array() && list.items().size() == n_layers) return {};
  return bad_pattern(config, key, ErrorCode::BadValue,
                     {"expected a list of ", n_layers, ", one for each layer"});
}

// The kinds that `layer_types` may name, as a list for people.
std::string supported_types(LayerKinds kinds) {
  std::string names = "sliding_attention";
  for (const LayerType& type : kLayerTypes) {
    if (has_kind(kinds, type.kind)) names += concat({", ", type.name});
  }
  return names;
}

// The kind of a layer, or nothing for an unknown type.
std::optional<LayerKind> kind_of_type(const Json& type, LayerKinds kinds) {
  if (!type.is_string()) return std::nullopt;
  if (type.string() == "sliding_attention") return LayerKind::Attention;
  const auto* known = std::ranges::find(kLayerTypes, type.string(), &LayerType::name);
  if (known == kLayerTypes.end() || !has_kind(kinds, known->kind)) return std::nullopt;
  return known->kind;
}

}  // namespace

Result<std::vector<LayerKind>> layer_kinds(const Json& config, const ArchitectureDefaults& defaults,
                                           uint32_t n_layers) {
  const bool is_hybrid = defaults.layer_kinds != kinds_of({LayerKind::Attention});
  std::vector<LayerKind> kinds;
  if (!is_hybrid && !has_value(config, kTypes)) return kinds;
  if (!has_value(config, kTypes)) {
    for (const LayerType& type : kLayerTypes) {
      if (kinds_of({type.kind}) == defaults.layer_kinds) kinds.assign(n_layers, type.kind);
    }
    if (!kinds.empty()) return kinds;
    return bad_pattern(config, kTypes, ErrorCode::NotFound,
                       "the config does not state what each layer is");
  }
  AMBRY_RETURN_IF_ERROR(check_length(config, kTypes, n_layers));
  for (const Json& type : config.find(kTypes)->items()) {
    const auto kind = kind_of_type(type, defaults.layer_kinds);
    if (!kind) {
      return bad_pattern(config, kTypes, ErrorCode::Unsupported,
                         {"layer ", kinds.size(), " is ", type.dump(), "; supported are ",
                          supported_types(defaults.layer_kinds)});
    }
    kinds.push_back(*kind);
  }
  if (!is_hybrid) kinds.clear();
  return kinds;
}

Result<std::vector<bool>> local_layers(const Json& config, const ArchitectureDefaults& defaults,
                                       uint32_t n_layers) {
  if (!has_value(config, kTypes)) {
    return all_but_every(config, "sliding_window_pattern", defaults.sliding_window_pattern,
                         n_layers);
  }
  AMBRY_RETURN_IF_ERROR(layer_kinds(config, defaults, n_layers));  // they are known ones
  std::vector<bool> layers;
  for (const Json& type : config.find(kTypes)->items()) {
    layers.push_back(type.string() == "sliding_attention");
  }
  return layers;
}

Result<std::vector<bool>> rotated_layers(const Json& config, const ArchitectureDefaults& defaults,
                                         uint32_t n_layers) {
  if (!has_value(config, kNoRope)) {
    return all_but_every(config, "no_rope_layer_interval", defaults.no_rope_layer_interval,
                         n_layers);
  }
  AMBRY_RETURN_IF_ERROR(check_length(config, kNoRope, n_layers));
  std::vector<bool> layers;
  for (const Json& rotates : config.find(kNoRope)->items()) {
    const bool known = rotates.is_bool() || (rotates.is_uint() && rotates.uint() <= 1);
    if (!known) return bad_pattern(config, kNoRope, ErrorCode::BadValue, "expected 0 or 1");
    layers.push_back(rotates.is_bool() ? rotates.boolean() : rotates.uint() == 1);
  }
  return layers;
}

Result<std::vector<XieluParameters>> xielu_layers(const Json& config, uint32_t n_layers) {
  constexpr const char* kXielu = "xielu";
  using Parameter = double XieluParameters::*;
  constexpr std::pair<const char*, Parameter> kLists[] = {{"alpha_p", &XieluParameters::alpha_p},
                                                          {"alpha_n", &XieluParameters::alpha_n},
                                                          {"beta", &XieluParameters::beta},
                                                          {"eps", &XieluParameters::eps}};
  if (!has_value(config, kXielu) || !config.find(kXielu)->is_object()) {
    return bad_pattern(config, kXielu, ErrorCode::NotFound,
                       "the activation xielu needs an object with its parameters");
  }
  const Json& lists = *config.find(kXielu);
  std::vector<XieluParameters> layers(n_layers);
  for (const auto& [name, parameter] : kLists) {
    const Json* list = lists.find(name);
    const bool whole = list != nullptr && list->is_array() && list->items().size() == n_layers &&
                       std::ranges::all_of(list->items(), &Json::is_number);
    if (!whole) {
      return metadata_error(lists, name, ErrorCode::BadValue,
                            {"expected a list of ", n_layers, " numbers, one for each layer"},
                            "config.xielu");
    }
    for (size_t i = 0; i < n_layers; ++i) layers[i].*parameter = list->items()[i].number();
  }
  return layers;
}

}  // namespace ambry::model

// Converts the table of a convolutional network to JSON and back.
#include <utility>

#include "model/cnn/cnn_table.h"

namespace ambry::model {
namespace {

using io::Json;

Failure config_error(const Text& path, const Text& message) {
  return make_error(ErrorCode::BadValue, {"config.", path.str()}, message);
}

Json layer_document(const CnnTable& table, CnnKind kind, size_t index) {
  const CnnLayer& layer = table.of(kind)[index];
  const std::string_view kind_name = cnn_kind_name(kind);
  Json document = Json::object();
  document.set("name", concat({kind_name, ".", uint64_t{index}}));
  document.set("kind", kind_name);
  for (const CnnField& field : cnn_fields(table.variant, kind)) {
    if (field.integer == &CnnLayer::bias) continue;
    document.set(field.name, field.real != nullptr ? Json(double{layer.*field.real})
                                                   : Json(int64_t{layer.*field.integer}));
  }
  if (kind != CnnKind::BatchNorm) document.set("bias", layer.bias != 0);
  return document;
}

Result<int32_t> read_integer(const Json* value, const Text& path) {
  if (value != nullptr && value->is_uint() && value->uint() <= INT32_MAX) {
    return static_cast<int32_t>(value->uint());
  }
  if (value != nullptr && value->kind() == Json::Kind::Int && value->integer() >= INT32_MIN) {
    return static_cast<int32_t>(value->integer());
  }
  return config_error(path, "expected a 32-bit integer");
}

Result<float> read_float(const Json* value, const Text& path) {
  if (value == nullptr || !value->is_number()) return config_error(path, "expected a number");
  return static_cast<float>(value->number());
}

Result<bool> read_bool(const Json* value, const Text& path) {
  if (value == nullptr || !value->is_bool()) return config_error(path, "expected true or false");
  return value->boolean();
}

Result<CnnLayer> read_layer(const Json& document, CnnVariant variant, CnnKind kind,
                            const std::string& path) {
  CnnLayer layer;
  if (kind != CnnKind::BatchNorm) {
    AMBRY_TRY(const bool bias, read_bool(document.find("bias"), path + ".bias"));
    layer.bias = bias ? 1 : 0;
  }
  const auto fields = cnn_fields(variant, kind);
  for (const CnnField& field : fields) {
    if (field.integer == &CnnLayer::bias) continue;
    const Json* value = document.find(field.name);
    const std::string place = concat({path, ".", field.name});
    if (field.real != nullptr) {
      AMBRY_TRY(layer.*field.real, read_float(value, place));
    } else {
      AMBRY_TRY(layer.*field.integer, read_integer(value, place));
    }
  }
  if (kind == CnnKind::BatchNorm) layer.in = layer.out;
  const auto faults = check_layer(variant, kind, layer, INT64_MAX);
  if (!faults.empty()) {
    return config_error({path, ".", fields[faults[0].field].name}, faults[0].message);
  }
  if (variant == CnnVariant::Dq8 && (layer.bias_group > 0) != (layer.bias == 1)) {
    return config_error({path, ".gs_b"}, "must be 0 if and only if the layer has no bias");
  }
  return layer;
}

Result<void> read_layers(const Json& config, CnnTable& table) {
  const Json* layers = config.find("layers");
  if (layers == nullptr || !layers->is_array()) return config_error("layers", "expected a list");
  for (size_t i = 0; i < layers->items().size(); ++i) {
    const Json& document = layers->items()[i];
    const std::string path = concat({"layers[", uint64_t{i}, "]"});
    const Json* name = document.find("kind");
    const CnnKind* found = nullptr;
    for (const CnnKind& kind : kCnnKinds) {
      if (name != nullptr && name->is_string() && name->string() == cnn_kind_name(kind)) {
        found = &kind;
      }
    }
    if (found == nullptr) {
      return config_error({path, ".kind"}, "expected conv, linear or batchnorm");
    }
    AMBRY_TRY(const CnnLayer layer, read_layer(document, table.variant, *found, path));
    table.of(*found).push_back(layer);
  }
  return {};
}

Result<void> read_activations(const Json& config, CnnTable& table) {
  const Json* list = config.find("activations");
  if (list == nullptr || !list->is_array()) return config_error("activations", "expected a list");
  for (size_t i = 0; i < list->items().size(); ++i) {
    const Json& item = list->items()[i];
    const std::string path = concat({"activations[", uint64_t{i}, "]"});
    CnnActivation activation;
    AMBRY_TRY(activation.scale, read_float(item.find("scale"), path + ".scale"));
    AMBRY_TRY(activation.zero_point, read_integer(item.find("zp"), path + ".zp"));
    if (const auto reason = check_activation(activation)) return config_error(path, *reason);
    table.activations.push_back(activation);
  }
  return {};
}

Result<CnnVariant> read_variant(const Json& config) {
  const Json* name = config.find("variant");
  for (const CnnVariant variant : {CnnVariant::Vanilla, CnnVariant::Dq8, CnnVariant::Sq8}) {
    if (name == nullptr || !name->is_string()) break;
    if (name->string() == cnn_variant_name(variant)) return variant;
  }
  return config_error("variant", "expected vanilla, dq8 or sq8");
}

}  // namespace

Json cnn_config(const CnnTable& table) {
  Json config = Json::object();
  config.set("variant", cnn_variant_name(table.variant));
  config.set("nclasses", int64_t{table.n_classes});
  if (table.variant != CnnVariant::Vanilla) config.set("asym", table.asymmetric);
  for (const auto& [key, kind] :
       {std::pair("nconv", CnnKind::Conv), std::pair("nlinear", CnnKind::Linear),
        std::pair("nbn", CnnKind::BatchNorm)}) {
    config.set(key, uint64_t{table.of(kind).size()});
  }
  Json layers = Json::array();
  for (const CnnKind kind : kCnnKinds) {
    for (size_t i = 0; i < table.of(kind).size(); ++i) {
      layers.append(layer_document(table, kind, i));
    }
  }
  config.set("layers", std::move(layers));
  if (table.variant != CnnVariant::Sq8) return config;
  Json activations = Json::array();
  for (const CnnActivation& activation : table.activations) {
    Json& item = activations.append(Json::object());
    item.set("scale", double{activation.scale});
    item.set("zp", int64_t{activation.zero_point});
  }
  config.set("activations", std::move(activations));
  return config;
}

Result<CnnTable> cnn_table(const Json& config) {
  CnnTable table;
  AMBRY_TRY(table.variant, read_variant(config));
  AMBRY_TRY(table.n_classes, read_integer(config.find("nclasses"), "nclasses"));
  if (table.n_classes < 1) return config_error("nclasses", "must be at least 1");
  if (table.variant != CnnVariant::Vanilla) {
    AMBRY_TRY(table.asymmetric, read_bool(config.find("asym"), "asym"));
  }
  if (table.variant == CnnVariant::Sq8 && !table.asymmetric) {
    return config_error("asym", "must be true for sq8");
  }
  AMBRY_RETURN_IF_ERROR(read_layers(config, table));
  if (table.variant == CnnVariant::Sq8) AMBRY_RETURN_IF_ERROR(read_activations(config, table));
  return table;
}

}  // namespace ambry::model

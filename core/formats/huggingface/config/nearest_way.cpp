#include "formats/huggingface/config/nearest_way.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/concat.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/side_files/own_code.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kModelType = "model_type";

// The keys with the number of experts.
constexpr std::array kExperts = {"num_local_experts", "num_experts", "n_routed_experts",
                                 "moe_num_experts"};

// What state-space layers, short convolutions and linear attention have sizes of.
constexpr std::array kOtherLayers = {"mamba_d_state", "mamba_d_conv", "ssm_state_size",
                                     "state_size",    "conv_L_cache", "linear_num_key_heads"};
constexpr std::array<std::string_view, 3> kAttention = {"attention", "full_attention",
                                                        "sliding_attention"};

const Json* object_at(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

bool is_true(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_bool() && found->boolean();
}

// Models without such layers state 0.
bool states_more_than_none(const Json& json, std::span<const char* const> keys) {
  return std::ranges::any_of(keys, [&](const char* key) {
    const Json* found = json.find(key);
    return model::has_value(json, key) && !(found->is_uint() && found->uint() == 0);
  });
}

// Whether a layer is neither attention nor feed-forward. The code of such models also runs models
// that have attention in all layers.
bool has_other_layers(const Json& json) {
  if (!states_more_than_none(json, kOtherLayers)) return false;
  const Json* types = json.find("layer_types");
  if (types == nullptr || !types->is_array() || types->items().empty()) return true;
  return std::ranges::any_of(types->items(), [](const Json& type) {
    return !type.is_string() || std::ranges::find(kAttention, type.string()) == kAttention.end();
  });
}

bool is_causal_model(const Json& json) {
  const Json* names = json.find("architectures");
  if (names == nullptr || !names->is_array()) return false;
  return std::ranges::any_of(names->items(), [](const Json& name) {
    return name.is_string() && name.string().ends_with("ForCausalLM");
  });
}

// A model that takes more than text: the part that reads text has a config of its own.
std::string way_of_text_part(const Json& json, const Json& text) {
  const char* what = object_at(json, "vision_config") != nullptr  ? "pictures"
                     : object_at(json, "audio_config") != nullptr ? "sound"
                                                                  : "more";
  const std::string type(model::metadata_text(text, kModelType).value_or(""));
  std::string reads = concat({"the model takes ", what, " beside text"});
  if (is_decoder_type(type)) {
    return concat({reads, "; the GGUF of its text part (", type, ") opens"});
  }
  if (type.empty()) return reads;
  return concat({reads, ", and its text part, of type \"", type, "\", is not supported either"});
}

// What the config says of a model of an unknown type. Empty: nothing.
std::string way_of(const FileValues& values) {
  const Json& json = values.json();
  // bge-reranker-v2.5-gemma2-lightweight
  if (values.text(kModelType) == "cost_wise_gemma") {
    return "a reranker that joins tokens between its layers does not run here, but "
           "bge-reranker-v2-gemma and bge-reranker-v2-minicpm-layerwise do";
  }
  if (const Json* text = object_at(json, "text_config")) return way_of_text_part(json, *text);
  if (states_more_than_none(json, kExperts)) {
    return "models with experts do not run here, but for those of a few architectures";
  }
  if (has_other_layers(json)) {
    return "these layers of state space, convolution or linear attention do not run here; LFM2, "
           "Qwen3.5, Granite 4, Falcon-H1 and Nemotron-H do";
  }
  if (is_true(json, "is_encoder_decoder")) {
    return "models that turn one text into another do not run here, but for the encoder of t5";
  }
  if (!own_code(values).name.empty()) return {};  // said beside
  if (is_causal_model(json)) {
    return "a GGUF of the model may open; ambry inspect FILE says whether it does";
  }
  return {};
}

}  // namespace

Failure unknown_type(const FileValues& values, std::string_view type) {
  const std::string what = type.empty()
                               ? "the kind of model is not stated"
                               : concat({"models of type \"", type, "\" are not supported"});
  const std::string way = way_of(values);
  const std::string code = own_code(values).name;
  return values.fail(
      kModelType, ErrorCode::Unsupported,
      {what, way.empty() ? "" : "; ", way, code.empty() ? "" : "; the model runs code of its own, ",
       code, "; docs/what-opens.md lists the types that open"});
}

}  // namespace ambry::formats::huggingface

#include "formats/huggingface/config/newer_decoders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "formats/huggingface/config/gemma_layers.h"
#include "formats/huggingface/config/state_space_settings.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kDecoderFile = "config.json";
// More than any model has. Keeps a hostile value from growing a list.
constexpr uint64_t kMostLayers = 512;

class FamilyReader {
 public:
  FamilyReader(const Json& stated, Json& config) : stated_(stated), config_(config) {}

  Result<void> read_defaults(std::string_view model_type);
  Result<void> read_minicpm();
  Result<void> check_attention();
  Result<void> read_granite();
  Result<void> read_hunyuan();
  Result<void> read_exaone4();
  Result<void> read_ernie();
  Result<void> read_temperature();
  Result<void> read_apertus();
  Result<void> read_lfm2();
  Result<void> read_qwen35();
  Result<void> read_olmoe();
  Result<void> read_qwen2_moe();
  Result<void> read_qwen35_moe();
  Result<void> read_lfm2_moe();

 private:
  static Failure refuse(const Json& json, const char* key, ErrorCode code, const Text& message) {
    return model::metadata_error(json, key, code, message, kDecoderFile);
  }
  [[nodiscard]] double number(std::string_view key, double fallback) const {
    const Json* value = stated_.find(key);
    return value != nullptr && value->is_number() ? value->number() : fallback;
  }
  // The switch must be in this position if it is stated.
  [[nodiscard]] Result<void> expect(const char* key, bool usual) const {
    const Json* value = stated_.find(key);
    if (value == nullptr || !value->is_bool() || value->boolean() == usual) return {};
    return refuse(stated_, key, ErrorCode::Unsupported,
                  {usual ? "turned off" : "turned on", ", which is not supported"});
  }
  [[nodiscard]] uint64_t n_layers() const {
    const Json* layers = stated_.find("num_hidden_layers");
    const bool counts = layers != nullptr && layers->is_uint() && layers->uint() <= kMostLayers;
    return counts ? layers->uint() : 0;
  }

  const Json& stated_;
  Json& config_;
};

// The values of the library where a file has none. Null is a value.
Result<void> FamilyReader::read_defaults(std::string_view model_type) {
  struct Usual {
    std::string_view model_type;
    std::string_view key;
    uint32_t value;
  };
  constexpr auto kUsual = std::to_array<Usual>({{"qwen3", "head_dim", 128},
                                                {"qwen3_5_text", "head_dim", 256},
                                                {"qwen3_5_text", "conv_taps", 4},
                                                {"qwen3_5_text", "linear_num_key_heads", 16},
                                                {"qwen3_5_text", "linear_num_value_heads", 32},
                                                {"qwen3_5_text", "linear_key_head_dim", 128},
                                                {"qwen3_5_text", "linear_value_head_dim", 128},
                                                {"qwen3_5_moe_text", "n_experts", 256},
                                                {"qwen3_5_moe_text", "n_experts_used", 8},
                                                {"qwen3_5_moe_text", "n_ff_expert", 512},
                                                {"qwen2_moe", "n_experts", 60},
                                                {"qwen2_moe", "n_experts_used", 4},
                                                {"qwen2_moe", "n_ff_expert", 1408},
                                                {"ministral3", "head_dim", 128},
                                                {"helium", "head_dim", 128},
                                                {"helium", "rope_freq_base", 100'000},
                                                {"ernie4_5", "head_dim", 128},
                                                {"ernie4_5", "rope_freq_base", 500'000},
                                                {"lfm2", "rope_freq_base", 1'000'000},
                                                {"lfm2", "conv_taps", 3},
                                                {"lfm2_moe", "rope_freq_base", 1'000'000},
                                                {"lfm2_moe", "conv_taps", 3},
                                                {"lfm2_moe", "n_dense_layers", 2},
                                                {"exaone4", "sliding_window", 4096},
                                                {"olmo3", "sliding_window", 4096}});
  for (const auto& [family, key, value] : kUsual) {
    const bool is_same =
        family == model_type || (family == "qwen3_5_text" && model_type == "qwen3_5_moe_text");
    if (!is_same || stated_.find(key) != nullptr) continue;
    if (!model::has_value(config_, key)) config_.set(key, value);
  }
  constexpr std::array<std::string_view, 2> kScaled = {"ministral3", "apertus"};
  if (std::ranges::find(kScaled, model_type) == kScaled.end() ||
      model::has_value(config_, "rope_freq_base")) {
    return {};
  }
  return refuse(stated_, "rope_theta", ErrorCode::NotFound,
                "neither this nor rope_parameters states how positions are rotated");
}

// MiniCPM states what its scales are made of. Null turns one off.
Result<void> FamilyReader::read_minicpm() {
  const double layers = number("num_hidden_layers", 0);
  const double width = number("hidden_size", 0);
  if (!(layers > 0) || !(width > 0)) return {};  // refused where they are read
  const auto is_off = [&](std::string_view key) {
    const Json* value = stated_.find(key);
    return value != nullptr && value->is_null();
  };
  config_.set("embed_scale", number("scale_emb", 12));
  if (!is_off("scale_depth")) {
    config_.set("residual_scale", number("scale_depth", 1.4) / std::sqrt(layers));
  }
  if (!is_off("dim_model_base")) {
    config_.set("logit_scale", number("dim_model_base", 256) / width);
  }
  return {};
}

// All layers must attend.
Result<void> FamilyReader::check_attention() {
  const Json* types = stated_.find("layer_types");
  if (types == nullptr || !types->is_array()) types = stated_.find("layers_block_type");
  if (types == nullptr || !types->is_array()) {
    return refuse(stated_, "layer_types", ErrorCode::Unsupported,
                  "without this list all layers are of Mamba, which is not supported");
  }
  for (size_t i = 0; i < types->items().size(); ++i) {
    const Json& type = types->items()[i];
    if (type.is_string() && type.string() == "attention") continue;
    return refuse(stated_, "layer_types", ErrorCode::Unsupported,
                  {"layer ", i, " is ", type.dump(), "; only attention and mamba are supported"});
  }
  config_.set("layer_types", Json());
  return {};
}

// Granite 4 has layers of Mamba but for some models, which are a granite with other names.
Result<void> FamilyReader::read_granite() {
  const bool has_experts = number("num_local_experts", 0) > 0;
  if (!has_state_spaces("granitemoehybrid", stated_)) {
    if (has_experts) {
      return refuse(stated_, "num_local_experts", ErrorCode::Unsupported,
                    "experts in a model without layers of mamba are not supported");
    }
    AMBRY_RETURN_IF_ERROR(check_attention());
  }
  const auto positions = model::metadata_text(stated_, "position_embedding_type");
  config_.set("is_rope", positions == "rope");
  if (positions && positions != "rope" && positions != "nope") {
    return refuse(stated_, "position_embedding_type", ErrorCode::Unsupported,
                  {"\"", *positions, "\" is not supported"});
  }
  const Json* width = stated_.find("shared_intermediate_size");
  if (!has_experts) {
    for (const char* key : {"n_experts", "n_experts_used"}) {
      if (config_.find(key) != nullptr) config_.set(key, Json());
    }
    if (width != nullptr) config_.set("n_ff", *width);
    return {};
  }
  const Json* own = config_.find("n_ff");
  if (own != nullptr) config_.set("n_ff_expert", *own);
  if (number("shared_intermediate_size", 1024) == 0) {
    return refuse(stated_, "shared_intermediate_size", ErrorCode::Unsupported,
                  "experts without a part that all tokens take are not supported");
  }
  config_.set("n_ff", width != nullptr ? *width : Json(1024U));
  return {};
}

// The base of the rotation grows by alpha once and for all. Other readers call that dynamic.
Result<void> FamilyReader::read_hunyuan() {
  AMBRY_RETURN_IF_ERROR(expect("use_qk_norm", true));
  AMBRY_RETURN_IF_ERROR(expect("use_rotary_pos_emb", true));
  AMBRY_RETURN_IF_ERROR(expect("use_cla", false));
  const Json* scaling = config_.find("rope_scaling");
  const Json* alpha = scaling != nullptr ? scaling->find("alpha") : nullptr;
  if (alpha == nullptr || !alpha->is_number() || alpha->number() == 0) return {};
  const Json* stated_dim = config_.find("head_dim");
  const double dim = stated_dim != nullptr && stated_dim->is_number()
                         ? stated_dim->number()
                         : number("hidden_size", 0) / number("num_attention_heads", 1);
  if (!(alpha->number() > 0) || !(dim > 2)) {
    return refuse(*scaling, "alpha", ErrorCode::BadValue, "must be above 0, with heads above 2");
  }
  const Json* base = config_.find("rope_freq_base");
  const double own = base != nullptr && base->is_number() ? base->number() : 10'000;
  config_.set("rope_freq_base", own * std::pow(alpha->number(), dim / (dim - 2)));
  config_.set("rope_scaling", Json());
  return {};
}

// A pattern of letters says which layers have the window: LLLG, from the first layer on.
Result<void> FamilyReader::read_exaone4() {
  const auto pattern = model::metadata_text(stated_, "sliding_window_pattern");
  if (!pattern) {
    const bool states = stated_.find("sliding_window_pattern") != nullptr ||
                        model::has_value(config_, "layer_types");
    if (!states) config_.set("sliding_window_pattern", 4U);
    return {};
  }
  const bool known = !pattern->empty() &&
                     std::ranges::all_of(*pattern, [](char c) { return c == 'L' || c == 'G'; });
  if (!known) {
    return refuse(stated_, "sliding_window_pattern", ErrorCode::Unsupported,
                  "expected a number, or letters L and G");
  }
  config_.set("sliding_window_pattern", Json());
  if (model::has_value(config_, "layer_types")) return {};
  Json types = Json::array();
  for (uint64_t layer = 0; layer < n_layers(); ++layer) {
    types.append((*pattern)[layer % pattern->size()] == 'L' ? "sliding_attention"
                                                            : "full_attention");
  }
  config_.set("layer_types", std::move(types));
  return {};
}

Result<void> FamilyReader::read_ernie() {
  AMBRY_RETURN_IF_ERROR(expect("use_rmsnorm", true));
  if (number("compression_ratio", 1) == 1) return {};
  return refuse(stated_, "compression_ratio", ErrorCode::Unsupported,
                "other than 1, which is not supported");
}

// Llama 4's temperature of attention, which counts from the original length of the model on.
Result<void> FamilyReader::read_temperature() {
  constexpr const char* kBeta = "llama_4_scaling_beta";
  const Json* scaling = config_.find("rope_scaling");
  const Json* beta = scaling != nullptr ? scaling->find(kBeta) : nullptr;
  if (beta == nullptr || beta->is_null()) return {};
  config_.set("attn_temperature_scale", *beta);
  const Json* length = scaling->find("original_max_position_embeddings");
  if (length != nullptr) config_.set("attn_temperature_length", *length);
  return {};
}

Result<void> FamilyReader::read_apertus() {
  AMBRY_RETURN_IF_ERROR(expect("qk_norm", true));
  return expect("post_norm", false);
}

// The first files have names of their own. Unless they say otherwise, two thirds of the width of
// the feed-forward layer are used, rounded up.
Result<void> FamilyReader::read_lfm2() {
  config_.set("norm_eps", number("norm_eps", number("block_norm_eps", 1e-5)));
  if (const Json* tied = stated_.find("tie_embedding")) config_.set("tie_word_embeddings", *tied);
  const double width = number("block_ff_dim", number("intermediate_size", 12'288));
  const double multiple = number("block_multiple_of", 256);
  const Json* adjusts = stated_.find("block_auto_adjust_ff_dim");
  const bool is_adjusted = adjusts == nullptr || !adjusts->is_bool() || adjusts->boolean();
  if (!(width >= 1 && width <= UINT32_MAX && multiple >= 1 && multiple <= width)) {
    return refuse(stated_, "block_multiple_of", ErrorCode::BadValue,
                  "the width of the feed-forward layer cannot be right");
  }
  const double share =
      std::floor(std::floor(2 * width / 3) * number("block_ffn_dim_multiplier", 1));
  const double used = is_adjusted ? std::ceil(share / multiple) * multiple : width;
  config_.set("n_ff", static_cast<uint64_t>(used));
  if (model::has_value(config_, "layer_types")) return {};
  const Json* full = stated_.find("full_attn_idxs");
  const bool listed = full != nullptr && full->is_array();
  Json types = Json::array();
  for (uint64_t layer = 0; layer < n_layers(); ++layer) {
    const bool attends = !listed || std::ranges::any_of(full->items(), [&](const Json& index) {
      return index.is_uint() && index.uint() == layer;
    });
    types.append(attends ? "full_attention" : "conv");
  }
  config_.set("layer_types", std::move(types));
  return {};
}

// Every fourth layer attends unless a file says otherwise.
Result<void> FamilyReader::read_qwen35() {
  if (model::has_value(config_, "layer_types")) return {};
  const double interval = number("full_attention_interval", 4);
  if (!(interval >= 1)) {
    return refuse(stated_, "full_attention_interval", ErrorCode::BadValue, "must be at least 1");
  }
  Json types = Json::array();
  for (uint64_t layer = 1; layer <= n_layers(); ++layer) {
    const bool attends = std::fmod(static_cast<double>(layer), interval) == 0;
    types.append(attends ? "full_attention" : "linear_attention");
  }
  config_.set("layer_types", std::move(types));
  return {};
}

Result<void> FamilyReader::read_olmoe() {
  constexpr const char* kClip = "clip_qkv";
  if (!model::has_value(stated_, kClip)) return {};
  return refuse(stated_, kClip, ErrorCode::Unsupported, "not supported");
}

// The width of the part that all tokens take counts, and that of layers without experts does not.
Result<void> FamilyReader::read_qwen2_moe() {
  AMBRY_RETURN_IF_ERROR(expect("use_sliding_window", false));
  for (const char* key : {"sliding_window", "layer_types"}) config_.set(key, Json());
  const Json* bias = stated_.find("qkv_bias");
  if (bias != nullptr) config_.set("attn_bias", *bias);
  const Json* width = stated_.find("shared_expert_intermediate_size");
  config_.set("n_ff", width != nullptr ? *width : Json(5632U));
  return {};
}

Result<void> FamilyReader::read_qwen35_moe() {
  const Json* width = stated_.find("shared_expert_intermediate_size");
  config_.set("n_ff", width != nullptr ? *width : Json(512U));
  return read_qwen35();
}

Result<void> FamilyReader::read_lfm2_moe() {
  config_.set("norm_eps", number("norm_eps", 1e-5));
  if (const Json* tied = stated_.find("tie_embedding")) config_.set("tie_word_embeddings", *tied);
  return expect("use_expert_bias", true);
}

using Read = Result<void> (FamilyReader::*)();
constexpr auto kFamilies = std::to_array<std::pair<std::string_view, Read>>(
    {{"minicpm", &FamilyReader::read_minicpm},
     {"granitemoehybrid", &FamilyReader::read_granite},
     {"hunyuan_v1_dense", &FamilyReader::read_hunyuan},
     {"exaone4", &FamilyReader::read_exaone4},
     {"ernie4_5", &FamilyReader::read_ernie},
     {"ministral3", &FamilyReader::read_temperature},
     {"apertus", &FamilyReader::read_apertus},
     {"lfm2", &FamilyReader::read_lfm2},
     {"qwen3_5_text", &FamilyReader::read_qwen35},
     {"qwen3_5_moe_text", &FamilyReader::read_qwen35_moe},
     {"qwen2_moe", &FamilyReader::read_qwen2_moe},
     {"olmoe", &FamilyReader::read_olmoe},
     {"lfm2_moe", &FamilyReader::read_lfm2_moe}});

}  // namespace

Result<Json> text_part(Json stated) {
  const std::string type(model::metadata_text(stated, "model_type").value_or(""));
  const bool is_mistral = type == "mistral3";
  const bool is_gemma = has_gemma_layers(type) && !type.ends_with("_text");
  const bool is_qwen = type == "qwen3_5" || type == "qwen3_5_moe";
  if (!is_mistral && !is_qwen && !is_gemma) return stated;
  const Json* text = stated.find("text_config");
  if (text == nullptr || !text->is_object()) {
    return model::metadata_error(stated, "text_config", ErrorCode::NotFound,
                                 "the config of the language model is missing", kDecoderFile);
  }
  Json own = *text;
  if (!model::has_value(own, "model_type")) {
    own.set("model_type", is_mistral ? "mistral" : type + "_text");
  }
  for (const auto& [key, value] : stated.members()) {
    if (own.find(key) == nullptr) own.set(key, value);
  }
  return own;
}

Result<void> read_newer_family(std::string_view model_type, const Json& stated, Json& config) {
  if (has_gemma_layers(model_type)) return read_gemma_layers(model_type, stated, config);
  FamilyReader reader(stated, config);
  AMBRY_RETURN_IF_ERROR(reader.read_defaults(model_type));
  for (const auto& [family, read] : kFamilies) {
    if (family == model_type) AMBRY_RETURN_IF_ERROR((reader.*read)());
  }
  if (!has_state_spaces(model_type, stated)) return {};
  return read_state_spaces(model_type, stated, config);
}

}  // namespace ambry::formats::huggingface

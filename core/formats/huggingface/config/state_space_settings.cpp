#include "formats/huggingface/config/state_space_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kSpaceFile = "config.json";
constexpr const char* kPattern = "hybrid_override_pattern";
// More than any model has. Keeps a hostile value from growing the list of layers.
constexpr size_t kMostSpaceLayers = 512;

// A size of AMB's config, its name in config.json and the library's value where that has none.
struct SpaceKey {
  const char* name;
  const char* other;
  uint32_t usual;
};
using SpaceKeys = std::array<SpaceKey, 5>;
constexpr SpaceKeys kMambaKeys = {{{"ssm_heads", "mamba_n_heads", 128},
                                   {"ssm_head_dim", "mamba_d_head", 0},
                                   {"ssm_state_dim", "mamba_d_state", 256},
                                   {"ssm_groups", "mamba_n_groups", 1},
                                   {"conv_taps", "mamba_d_conv", 4}}};
constexpr SpaceKeys kNemotronKeys = {{{"ssm_heads", "mamba_num_heads", 128},
                                      {"ssm_head_dim", "mamba_head_dim", 64},
                                      {"ssm_state_dim", "ssm_state_size", 128},
                                      {"ssm_groups", "n_groups", 8},
                                      {"conv_taps", "conv_kernel", 4}}};

class SpaceReader {
 public:
  SpaceReader(const Json& stated, Json& config) : stated_(stated), config_(config) {}

  Result<void> read_granite();
  Result<void> read_falcon();
  Result<void> read_nemotron();

 private:
  static Failure refuse(const Json& json, const char* key, ErrorCode code, const Text& message) {
    return model::metadata_error(json, key, code, message, kSpaceFile);
  }
  [[nodiscard]] double number(std::string_view key, double usual) const {
    const Json* value = stated_.find(key);
    return value != nullptr && value->is_number() ? value->number() : usual;
  }
  [[nodiscard]] bool flag(std::string_view key, bool usual) const {
    const Json* value = stated_.find(key);
    return value != nullptr && value->is_bool() ? value->boolean() : usual;
  }
  void read_sizes(const SpaceKeys& keys);
  Result<void> check_width(const char* key, double width) const;
  Result<void> check_activation(const char* key) const;
  Result<void> read_limits();
  Result<void> read_types(const char* key);
  Result<void> read_pattern();
  Result<void> read_multipliers();
  Result<std::array<double, 5>> multipliers(const char* key, size_t n) const;

  const Json& stated_;
  Json& config_;
};

void SpaceReader::read_sizes(const SpaceKeys& keys) {
  for (const auto& [name, other, usual] : keys) {
    const Json* value = stated_.find(other);
    const bool is_auto = value != nullptr && value->is_string() && value->string() == "auto";
    if (value != nullptr && !value->is_null() && !is_auto) {
      config_.set(name, *value);
    } else if (usual != 0) {
      config_.set(name, usual);
    }
  }
}

// All heads together are as wide as `key` says. A head_dim that is not stated follows from it.
Result<void> SpaceReader::check_width(const char* key, double width) const {
  const Json* heads = config_.find("ssm_heads");
  if (!heads->is_uint() || heads->uint() == 0) return {};  // refused where it is read
  const auto n = static_cast<double>(heads->uint());
  const Json* head_dim = config_.find("ssm_head_dim");
  if (head_dim == nullptr && width >= n && std::fmod(width, n) == 0 && width <= UINT32_MAX) {
    config_.set("ssm_head_dim", static_cast<uint32_t>(width / n));
    return {};
  }
  if (head_dim != nullptr && head_dim->is_number() && head_dim->number() * n == width) return {};
  return refuse(stated_, key, ErrorCode::BadValue,
                {"the width of the state space is not that of its ", heads->dump(), " heads"});
}

Result<void> SpaceReader::check_activation(const char* key) const {
  const auto name = model::metadata_text(stated_, key).value_or("silu");
  if (name == "silu" || name == "swish") return {};
  return refuse(stated_, key, ErrorCode::Unsupported,
                {"\"", name, "\" is not supported beside state spaces; silu is"});
}

// An upper limit may be null, or an object that stands for infinity.
Result<void> SpaceReader::read_limits() {
  constexpr const char* kLimit = "time_step_limit";
  if (!model::has_value(stated_, kLimit)) return {};
  const Json& limits = *stated_.find(kLimit);
  if (!limits.is_array() || limits.items().size() != 2 || !limits.items()[0].is_number()) {
    return refuse(stated_, kLimit, ErrorCode::BadValue, "expected a list of two numbers");
  }
  config_.set("ssm_step_min", limits.items()[0]);
  if (limits.items()[1].is_number()) config_.set("ssm_step_max", limits.items()[1]);
  return {};
}

// AMB's name of a type of layer; experts and unknown ones keep theirs, which is refused where the
// layers are read.
Json type_of(const Json& type) {
  if (!type.is_string()) return type;
  if (type.string() == "attention") return "full_attention";
  return type.string() == "linear_attention" ? Json("mamba") : type;
}

Result<void> SpaceReader::read_types(const char* key) {
  if (!model::has_value(stated_, key)) return {};
  const Json& list = *stated_.find(key);
  if (!list.is_array() || list.items().size() > kMostSpaceLayers) {
    return refuse(stated_, key, ErrorCode::BadValue,
                  {"expected a list of at most ", kMostSpaceLayers, " layers"});
  }
  Json types = Json::array();
  for (const Json& type : list.items()) types.append(type_of(type));
  config_.set("layer_types", std::move(types));
  return {};
}

// A letter for each layer.
Result<void> SpaceReader::read_pattern() {
  const auto pattern = model::metadata_text(stated_, kPattern);
  if (!pattern) return {};
  if (pattern->size() > kMostSpaceLayers) {
    return refuse(stated_, kPattern, ErrorCode::LimitExceeded,
                  {pattern->size(), " layers, at most ", kMostSpaceLayers, " are supported"});
  }
  Json types = Json::array();
  for (const char letter : *pattern) {
    switch (letter) {
      case 'M':
        types.append("mamba");
        break;
      case '*':
        types.append("full_attention");
        break;
      case '-':
        types.append("mlp");
        break;
      default:
        return refuse(stated_, kPattern, ErrorCode::Unsupported,
                      {"layer ", types.items().size(), " is '", std::string(1, letter),
                       "'; supported are M, * and -"});
    }
  }
  config_.set("layer_types", std::move(types));
  return {};
}

Result<void> SpaceReader::read_granite() {
  config_.set("architecture", "granitemoehybrid");
  read_sizes(kMambaKeys);
  if (number("mamba_n_groups", 1) != 1) {
    return refuse(stated_, "mamba_n_groups", ErrorCode::Unsupported,
                  "other than 1, which readers of granitemoehybrid disagree on");
  }
  AMBRY_RETURN_IF_ERROR(check_activation("hidden_act"));
  AMBRY_RETURN_IF_ERROR(
      check_width("mamba_expand", number("mamba_expand", 2) * number("hidden_size", 0)));
  AMBRY_RETURN_IF_ERROR(read_limits());
  config_.set("conv_bias", flag("mamba_conv_bias", true));
  config_.set("ssm_norm", true);
  AMBRY_RETURN_IF_ERROR(read_types("layers_block_type"));
  return read_types("layer_types");
}

// A list of `n` factors, or ones.
Result<std::array<double, 5>> SpaceReader::multipliers(const char* key, size_t n) const {
  std::array<double, 5> factors = {1, 1, 1, 1, 1};
  if (!model::has_value(stated_, key)) return factors;
  const Json& list = *stated_.find(key);
  if (!list.is_array() || list.items().size() != n ||
      !std::ranges::all_of(list.items(), &Json::is_number)) {
    return refuse(stated_, key, ErrorCode::BadValue, {"expected a list of ", n, " numbers"});
  }
  for (size_t i = 0; i < n; ++i) factors[i] = list.items()[i].number();
  return factors;
}

// The factors of the input and of the keys of attention become one of the scores.
Result<void> SpaceReader::read_multipliers() {
  AMBRY_TRY(auto space, multipliers("ssm_multipliers", 5));
  AMBRY_TRY(const auto mlp, multipliers("mlp_multipliers", 2));
  Json scales = Json::array();
  for (const double factor : space) scales.append(factor * number("ssm_in_multiplier", 1));
  config_.set("ssm_scales", std::move(scales));
  config_.set("ssm_out_scale", number("ssm_out_multiplier", 1));
  config_.set("mlp_gate_scale", mlp[0]);
  config_.set("mlp_out_scale", mlp[1]);
  config_.set("logit_scale", number("lm_head_multiplier", 1));
  const double in = number("attention_in_multiplier", 1);
  const double keys = number("key_multiplier", 1);
  if (flag("attention_bias", false) && (in != 1 || keys != 1)) {
    return refuse(stated_, "attention_bias", ErrorCode::Unsupported,
                  "turned on together with attention_in_multiplier or key_multiplier");
  }
  if (flag("mamba_proj_bias", false) && number("ssm_in_multiplier", 1) != 1) {
    return refuse(stated_, "mamba_proj_bias", ErrorCode::Unsupported,
                  "turned on together with ssm_in_multiplier");
  }
  const double width = number("hidden_size", 0) / std::max(number("num_attention_heads", 1), 1.0);
  const double head_dim = number("head_dim", width);
  if (!(head_dim > 0)) return {};  // refused where it is read
  config_.set("attn_scale", in * in * keys / std::sqrt(head_dim));
  config_.set("attn_out_scale", in * number("attention_out_multiplier", 1));
  return {};
}

Result<void> SpaceReader::read_falcon() {
  read_sizes(kMambaKeys);
  AMBRY_RETURN_IF_ERROR(check_activation("hidden_act"));
  const bool states_width = model::has_value(stated_, "mamba_d_ssm");
  AMBRY_RETURN_IF_ERROR(states_width ? check_width("mamba_d_ssm", number("mamba_d_ssm", 0))
                                     : check_width("mamba_expand", number("mamba_expand", 2) *
                                                                       number("hidden_size", 0)));
  AMBRY_RETURN_IF_ERROR(read_limits());
  const bool has_norm = flag("mamba_rms_norm", false);
  config_.set("ssm_norm", has_norm);
  config_.set("ssm_norm_first", has_norm && flag("mamba_norm_before_gate", true));
  config_.set("conv_bias", flag("mamba_conv_bias", true));
  config_.set("layer_types", Json());
  return read_multipliers();
}

Result<void> SpaceReader::read_nemotron() {
  read_sizes(kNemotronKeys);
  AMBRY_RETURN_IF_ERROR(check_activation("mamba_hidden_act"));
  AMBRY_RETURN_IF_ERROR(read_limits());
  config_.set("ssm_norm", true);
  config_.set("conv_bias", flag("use_conv_bias", true));
  const Json* activation = stated_.find("mlp_hidden_act");
  if (activation != nullptr) config_.set("activation_fn", *activation);
  if (!model::has_value(config_, "head_dim")) {
    const Json* head_dim = stated_.find("attention_head_dim");
    config_.set("head_dim", head_dim == nullptr ? Json(128U) : *head_dim);
  }
  AMBRY_RETURN_IF_ERROR(read_types("layer_types"));
  AMBRY_RETURN_IF_ERROR(read_types("layers_block_type"));
  AMBRY_RETURN_IF_ERROR(read_pattern());
  const Json* types = config_.find("layer_types");
  if (types != nullptr && types->is_array() && !model::has_value(config_, "n_layers")) {
    config_.set("n_layers", static_cast<uint64_t>(types->items().size()));
  }
  return {};
}

// Whether a layer is of Mamba. Without a list all are.
bool has_mamba(const Json& stated) {
  const Json* types = stated.find("layer_types");
  if (types == nullptr || !types->is_array()) types = stated.find("layers_block_type");
  if (types == nullptr || !types->is_array()) return false;
  return std::ranges::any_of(types->items(), [](const Json& type) {
    return type.is_string() && (type.string() == "mamba" || type.string() == "linear_attention");
  });
}

}  // namespace

bool has_state_spaces(std::string_view model_type, const Json& stated) {
  return model_type == "falcon_h1" || model_type == "nemotron_h" ||
         (model_type == "granitemoehybrid" && has_mamba(stated));
}

Result<void> read_state_spaces(std::string_view model_type, const Json& stated, Json& config) {
  SpaceReader reader(stated, config);
  if (model_type == "falcon_h1") return reader.read_falcon();
  if (model_type == "nemotron_h") return reader.read_nemotron();
  return reader.read_granite();
}

}  // namespace ambry::formats::huggingface

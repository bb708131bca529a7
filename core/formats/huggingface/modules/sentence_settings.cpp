#include "formats/huggingface/modules/sentence_settings.h"

#include <array>
#include <string>
#include <utility>

#include "formats/huggingface/side_files/file_values.h"

namespace ambry::formats::huggingface {

using io::Json;
using model::EncoderConfig;

namespace {

Result<std::string> pooling_mode(const FileValues& values) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> kFlags = {
      {{"pooling_mode_cls_token", "cls"},
       {"pooling_mode_max_tokens", "max"},
       {"pooling_mode_mean_tokens", "mean"},
       {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len"},
       {"pooling_mode_weightedmean_tokens", "weightedmean"},
       {"pooling_mode_lasttoken", "lasttoken"}}};
  std::string mode = values.text("pooling_mode");
  if (mode == "mean_sqrt_len_tokens") mode = "mean_sqrt_len";
  if (!mode.empty()) return mode;
  size_t n_modes = 0;
  for (const auto& [key, name] : kFlags) {
    bool on = false;
    AMBRY_RETURN_IF_ERROR(values.read({{key, on}}));
    if (!on) continue;
    if (n_modes++ > 0) mode += " and ";
    mode += name;
  }
  if (n_modes == 1) return mode;
  return values.fail("pooling_mode", ErrorCode::Unsupported,
                     n_modes == 0 ? "no pooling is turned on"
                                  : "several poolings at once (" + mode + ") are not supported");
}

}  // namespace

Result<void> read_pooling(const SideFiles& files, const std::string& name, EncoderConfig& config) {
  AMBRY_TRY(const Json json, require_json_file(files, name));
  const FileValues values(name, json);
  AMBRY_TRY(config.pooling, pooling_mode(values));
  if (config.pooling == "weightedmean") {
    return values.fail("pooling_mode_weightedmean_tokens", ErrorCode::Unsupported,
                       "weighted mean pooling is not supported");
  }
  uint32_t dim = config.hidden_size;
  AMBRY_RETURN_IF_ERROR(values.read({{"word_embedding_dimension", dim}}));
  if (dim != config.hidden_size) {
    return values.fail("word_embedding_dimension", ErrorCode::Mismatch,
                       {dim, ", but the model's hidden_size is ", config.hidden_size});
  }
  return values.read({{"include_prompt", config.include_prompt}});
}

Result<void> read_prompts(const SideFiles& files, EncoderConfig& config) {
  const std::string name = "config_sentence_transformers.json";
  AMBRY_TRY(const auto json, read_json_file(files, name));
  if (!json) return {};
  const FileValues values(name, *json);
  if (const Json* prompts = json->find("prompts"); prompts != nullptr && prompts->is_object()) {
    for (const auto& [key, prompt] : prompts->members()) {
      if (!prompt.is_string()) {
        return values.fail("prompts", ErrorCode::BadValue, {"\"", key, "\" is not a text"});
      }
      config.prompts.emplace_back(key, prompt.string());
    }
  }
  return values.read({{"default_prompt_name", config.default_prompt_name}});
}

Result<Json> read_noted_settings(const SideFiles& files) {
  Json noted = Json::object();
  const std::string name = "config_sentence_transformers.json";
  AMBRY_TRY(const auto json, read_json_file(files, name));
  if (!json) return noted;
  const FileValues values(name, *json);
  if (const std::string similarity = values.text("similarity_fn_name"); !similarity.empty()) {
    noted.set("similarity_fn_name", similarity);
  }
  uint32_t dim = 0;
  AMBRY_RETURN_IF_ERROR(values.read({{"truncate_dim", dim}}));
  if (dim > 0) noted.set("truncate_dim", std::to_string(dim));
  return noted;
}

}  // namespace ambry::formats::huggingface

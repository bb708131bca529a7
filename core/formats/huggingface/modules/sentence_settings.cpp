#include "formats/huggingface/modules/sentence_settings.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "formats/huggingface/side_files/file_values.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {

using io::Json;
using model::EncoderConfig;

namespace {

// The names of the Transformer's own file, in the order of sentence-transformers.
constexpr std::array<std::string_view, 7> kSentenceFiles = {
    "sentence_bert_config.json",       "sentence_roberta_config.json",
    "sentence_distilbert_config.json", "sentence_camembert_config.json",
    "sentence_albert_config.json",     "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json"};

// The key of the width of the vectors that are pooled, since sentence-transformers 5.4 and before.
constexpr std::array kWidthKeys = {"embedding_dimension", "word_embedding_dimension"};

Failure several_poolings(const FileValues& values, std::string_view modes) {
  return values.fail("pooling_mode", ErrorCode::Unsupported,
                     {"several poolings at once (", modes, ") are not supported"});
}

// The mode as sentence-transformers 5.4 states it: a text, or a list of texts. Empty: not stated.
Result<std::string> stated_mode(const FileValues& values) {
  constexpr const char* kKey = "pooling_mode";
  if (!model::has_value(values.json(), kKey)) return std::string();
  const Json& stated = *values.json().find(kKey);
  const bool is_list = stated.is_array() && !stated.items().empty();
  std::string modes;
  for (const Json& mode : is_list ? stated.items() : std::vector{stated}) {
    if (!mode.is_string() || mode.string().empty()) {
      return values.fail(kKey, ErrorCode::BadValue, "expected the name of a pooling");
    }
    if (!modes.empty()) modes += " and ";
    modes += mode.string();
  }
  if (is_list && stated.items().size() > 1) return several_poolings(values, modes);
  return modes;
}

Result<std::string> pooling_mode(const FileValues& values) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> kFlags = {
      {{"pooling_mode_cls_token", "cls"},
       {"pooling_mode_max_tokens", "max"},
       {"pooling_mode_mean_tokens", "mean"},
       {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len"},
       {"pooling_mode_weightedmean_tokens", "weightedmean"},
       {"pooling_mode_lasttoken", "lasttoken"}}};
  AMBRY_TRY(std::string mode, stated_mode(values));
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
  if (n_modes > 1) return several_poolings(values, mode);
  return values.fail("pooling_mode", ErrorCode::Unsupported, "no pooling is turned on");
}

}  // namespace

Result<std::optional<SentenceFile>> read_sentence_file(const SideFiles& files,
                                                       std::string_view folder) {
  for (const std::string_view each : kSentenceFiles) {
    std::string name = concat({folder, each});
    AMBRY_TRY(auto json, read_json_file(files, name));
    if (json) return std::optional(SentenceFile{std::move(name), std::move(*json)});
  }
  return std::optional<SentenceFile>();
}

Result<void> read_pooling(const SideFiles& files, const std::string& name, EncoderConfig& config) {
  AMBRY_TRY(const Json json, require_json_file(files, name));
  const FileValues values(name, json);
  AMBRY_TRY(config.pooling, pooling_mode(values));
  if (config.pooling == "weightedmean") {
    return values.fail("pooling_mode_weightedmean_tokens", ErrorCode::Unsupported,
                       "weighted mean pooling is not supported");
  }
  for (const char* key : kWidthKeys) {
    uint32_t dim = config.hidden_size;
    AMBRY_RETURN_IF_ERROR(values.read({{key, dim}}));
    if (dim == config.hidden_size) continue;
    return values.fail(key, ErrorCode::Mismatch,
                       {dim, ", but the model's hidden_size is ", config.hidden_size});
  }
  return values.read({{"include_prompt", config.include_prompt}});
}

Result<void> read_prompts(const SideFiles& files, EncoderConfig& config) {
  AMBRY_TRY(const auto json, read_json_file(files, kSentenceTransformers));
  if (!json) return {};
  const FileValues values(kSentenceTransformers, *json);
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
  AMBRY_TRY(const auto json, read_json_file(files, kSentenceTransformers));
  if (!json) return noted;
  const FileValues values(kSentenceTransformers, *json);
  if (const std::string similarity = values.text("similarity_fn_name"); !similarity.empty()) {
    noted.set("similarity_fn_name", similarity);
  }
  uint32_t dim = 0;
  AMBRY_RETURN_IF_ERROR(values.read({{"truncate_dim", dim}}));
  if (dim > 0) noted.set("truncate_dim", std::to_string(dim));
  return noted;
}

}  // namespace ambry::formats::huggingface

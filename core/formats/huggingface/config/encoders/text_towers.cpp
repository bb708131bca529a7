#include "formats/huggingface/config/encoders/text_towers.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/tokenizer/special_names.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::EncoderConfig;

constexpr const char* kTextConfig = "text_config";
constexpr const char* kProjectionDim = "projection_dim";
constexpr const char* kPad = "pad_token";

// A model with both halves, and the class of its half for texts that has the projection.
struct WholeModel {
  std::string_view type;
  std::string_view half;
  std::string_view projected;
};
constexpr std::array kWholeModels = {
    WholeModel{"clip", "clip_text_model", "CLIPTextModelWithProjection"},
    WholeModel{"siglip", "siglip_text_model", ""}, WholeModel{"siglip2", "siglip2_text_model", ""}};

void set_all(const Json* from, Json& to) {
  if (from == nullptr || !from->is_object()) return;
  for (const auto& [key, value] : from->members()) to.set(key, value);
}

// What follows the pooling.
Result<void> add_projection(const FileValues& values, const char* key, bool bias,
                            EncoderConfig& config) {
  uint32_t size = config.hidden_size;
  AMBRY_RETURN_IF_ERROR(values.read({{key, size}}));
  if (size == 0) return values.fail(key, ErrorCode::BadValue, "must be at least 1");
  config.dense = {{config.hidden_size, size, bias, model::DenseActivation::Identity}};
  return {};
}

// The id of the token that the settings name by this key, or else of the usual one.
Result<uint32_t> id_of(const FileValues& values, const char* key, std::string_view usual,
                       const model::TokenizerData& tokenizer) {
  const std::string stated = special_name(values.json(), key);
  const std::string_view name = stated.empty() ? usual : std::string_view(stated);
  if (const auto id = find_token(tokenizer, tokenizer.added_tokens, name)) return *id;
  if (key == kPad && tokenizer.pad_id) return *tokenizer.pad_id;
  return values.fail(key, ErrorCode::NotFound, {"the tokenizer has no token \"", name, "\""});
}

}  // namespace

std::optional<Json> text_half(const Json& config) {
  const std::string_view type = model::metadata_text(config, "model_type").value_or("");
  const auto* whole = std::ranges::find(kWholeModels, type, &WholeModel::type);
  if (whole == kWholeModels.end()) return std::nullopt;
  Json half = Json::object();
  set_all(config.find(kTextConfig), half);
  // In older files this object counts where both state a value.
  set_all(config.find("text_config_dict"), half);
  half.set("model_type", whole->half);
  Json names = Json::array();
  if (!whole->projected.empty()) {
    names.append(whole->projected);
    const Json* size = config.find(kProjectionDim);
    half.set(kProjectionDim, size != nullptr ? *size : Json(512U));
  }
  half.set("architectures", std::move(names));
  return half;
}

Result<void> read_clip_text(const FileValues& values, EncoderConfig& config) {
  config.pooling = "lasttoken";
  if (!names_class(values, kWholeModels[0].projected)) return {};
  if (!model::has_value(values.json(), kProjectionDim)) {
    config.dense = {{config.hidden_size, 512, false, model::DenseActivation::Identity}};
    return {};
  }
  return add_projection(values, kProjectionDim, false, config);
}

Result<void> read_siglip_text(const FileValues& values, EncoderConfig& config) {
  config.pooling = "lasttoken";
  return add_projection(values, "projection_size", true, config);
}

Result<void> read_tower_tokens(const SideFiles& files, const std::string& folder,
                               const model::TokenizerData& tokenizer, EncoderConfig& config) {
  const bool clip = config.architecture == &model::kClipText;
  if (!clip && config.architecture != &model::kSiglipText) return {};
  const std::string name = folder + "tokenizer_config.json";
  AMBRY_TRY(const auto stated, read_json_file(files, name));
  const Json settings = stated ? *stated : Json::object();
  const FileValues values(name, settings);
  if (clip) {
    // The pooled token is the first end of the text, or in older files the highest id, which is the
    // same one.
    AMBRY_TRY(config.facts.end_token_id, id_of(values, "eos_token", "<|endoftext|>", tokenizer));
    return {};
  }
  if (values.text("padding_side") == "left") {
    return values.fail("padding_side", ErrorCode::Unsupported,
                       "texts are filled from the left, but only the right is supported");
  }
  AMBRY_TRY(config.facts.pad_token_id, id_of(values, kPad, "</s>", tokenizer));
  if (tokenizer.kind == model::TokenizerKind::Unigram) return {};
  // SigLIP 2, whose tokenizer is Gemma's, was trained on texts in lower case, too.
  return values.fail("tokenizer_class", ErrorCode::Unsupported,
                     {"SigLIP with a tokenizer of the kind ", tokenizer_kind_name(tokenizer.kind),
                      " is not supported, since it does not make texts lower case; SigLIP 2 has "
                      "such a one"});
}

}  // namespace ambry::formats::huggingface

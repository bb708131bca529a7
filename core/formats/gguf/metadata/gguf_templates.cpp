#include "formats/gguf/metadata/gguf_templates.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/gguf/metadata/tokenizer_keys.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

constexpr std::string_view kPrefix = "tokenizer.chat_template.";
constexpr std::string_view kNamesKey = "tokenizer.chat_templates";

void report_missing(const Json& metadata, const model::ChatTemplates& templates,
                    std::vector<Error>& warnings) {
  const Json* names = metadata.find(kNamesKey);
  if (names == nullptr || !names->is_array()) return;
  for (const Json& name : names->items()) {
    if (name.is_string() && model::find_template(templates, name.string()) != nullptr) continue;
    warnings.push_back(model::metadata_error(
        metadata, kNamesKey, ErrorCode::NotFound,
        {"the chat template ", name.dump(), " is listed, but it is not in the file"}));
  }
}

std::string key_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  std::string key(name);
  std::ranges::replace_if(key, [&](char c) { return !is_plain(c); }, '_');
  return key;
}

}  // namespace

bool is_template_key(std::string_view key) {
  return key == kChatTemplateKey || key == kNamesKey || key.starts_with(kPrefix);
}

Result<model::ChatTemplates> read_template_keys(const Json& metadata,
                                                std::vector<Error>& warnings) {
  model::ChatTemplates templates;
  for (const auto& [key, value] : metadata.members()) {
    const bool usual = key == kChatTemplateKey;
    if (!usual && !key.starts_with(kPrefix)) continue;
    if (!value.is_string()) {
      return model::metadata_error(metadata, key, ErrorCode::BadValue, "a chat template is a text");
    }
    const std::string_view name =
        usual ? model::kDefaultTemplate : std::string_view(key).substr(kPrefix.size());
    AMBRY_RETURN_IF_ERROR(model::add_template(name, value.string(), {"metadata.", key}, templates));
  }
  report_missing(metadata, templates, warnings);
  return templates;
}

void put_template_keys(const model::ChatTemplates& templates, Json& metadata) {
  Json names = Json::array();
  for (const auto& [name, text] : templates) {
    if (name == model::kDefaultTemplate) {
      metadata.set(kChatTemplateKey, std::string_view(text));
      continue;
    }
    const std::string key = key_name(name);
    metadata.set(concat({kPrefix, key}), std::string_view(text));
    names.append(std::string_view(key));
  }
  if (!names.items().empty()) metadata.set(kNamesKey, std::move(names));
}

}  // namespace ambry::formats::gguf

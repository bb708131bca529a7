#include "formats/huggingface/tokenizer/template_files.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::ChatTemplates;

constexpr const char* kTemplateKey = "chat_template";
constexpr const char* kTemplateFile = "chat_template.jinja";
constexpr const char* kTemplateJson = "chat_template.json";
constexpr const char* kSettingsFile = "tokenizer_config.json";
constexpr std::string_view kTemplateFolder = "additional_chat_templates/";
constexpr std::string_view kTemplateEnding = ".jinja";

// The templates of one place, and its name for warnings.
struct Place {
  const char* name;
  ChatTemplates templates;
};

Failure bad_template(const Json& value, const std::string& path) {
  return error_at(ErrorCode::BadValue, value.byte_offset(), path,
                  "expected a text, a list of objects with name and template, or an object of "
                  "names and texts");
}

Result<void> add_text(std::string_view name, const Json* text, const Json& place,
                      const std::string& path, ChatTemplates& templates) {
  if (text == nullptr || !text->is_string()) return bad_template(place, path);
  return model::add_template(name, text->string(), path, templates);
}

// A text is the default.
Result<ChatTemplates> read_value(const Json& json, const char* file) {
  ChatTemplates templates;
  const std::string path = concat({file, ".", kTemplateKey});
  if (!model::has_value(json, kTemplateKey)) return templates;
  const Json& value = *json.find(kTemplateKey);
  if (value.is_object()) {
    for (const auto& [name, text] : value.members()) {
      AMBRY_RETURN_IF_ERROR(add_text(name, &text, text, concat({path, ".", name}), templates));
    }
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.items().size(); ++i) {
      const Json& item = value.items()[i];
      const std::string at = concat({path, "[", i, "]"});
      const auto name = model::metadata_text(item, "name");
      if (!item.is_object() || !name) return bad_template(item, at);
      AMBRY_RETURN_IF_ERROR(add_text(*name, item.find("template"), item, at, templates));
    }
  } else {
    AMBRY_RETURN_IF_ERROR(add_text(model::kDefaultTemplate, &value, value, path, templates));
  }
  return templates;
}

Result<void> add_file(std::string_view name, const std::string& file, const std::string& text,
                      ChatTemplates& templates) {
  if (const auto bad = find_invalid_utf8(text)) {
    return error_at(ErrorCode::BadValue, *bad, file, "not valid UTF-8");
  }
  return model::add_template(name, text, file, templates);
}

Result<ChatTemplates> read_files(const SideFiles& files) {
  ChatTemplates templates;
  if (const std::string* text = files.find(kTemplateFile)) {
    AMBRY_RETURN_IF_ERROR(add_file(model::kDefaultTemplate, kTemplateFile, *text, templates));
  }
  for (const std::string_view file : files.names_in(kTemplateFolder)) {
    if (!file.ends_with(kTemplateEnding)) continue;
    const std::string_view name = file.substr(
        kTemplateFolder.size(), file.size() - kTemplateFolder.size() - kTemplateEnding.size());
    AMBRY_RETURN_IF_ERROR(add_file(name, std::string(file), *files.find(file), templates));
  }
  return templates;
}

Result<ChatTemplates> read_json(const SideFiles& files) {
  AMBRY_TRY(const auto json, read_json_file(files, kTemplateJson));
  if (!json) return ChatTemplates();
  if (!model::has_value(*json, kTemplateKey)) {
    return error_at(ErrorCode::BadValue, json->byte_offset(), kTemplateJson,
                    {"the file has no ", kTemplateKey});
  }
  return read_value(*json, kTemplateJson);
}

// Files end with a line break that texts in JSON do not have.
std::string_view without_end(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void report_lost(const Place& taken, const Place& other, std::vector<Error>& warnings) {
  for (const auto& [name, text] : other.templates) {
    const std::string* kept = model::find_template(taken.templates, name);
    if (kept != nullptr && without_end(*kept) == without_end(text)) continue;
    warnings.push_back(make_error(
        ErrorCode::Mismatch, other.name,
        {"the chat template \"", name, "\" is left out: ", taken.name, " counts, and it has ",
         kept == nullptr ? "none of this name" : "another text"}));
  }
}

}  // namespace

Result<ChatTemplates> read_chat_template_files(const SideFiles& files, const Json& settings,
                                               std::vector<Error>& warnings) {
  std::array<Place, 3> places = {{{kTemplateFile, {}}, {kTemplateJson, {}}, {kSettingsFile, {}}}};
  AMBRY_TRY(places[0].templates, read_files(files));
  AMBRY_TRY(places[1].templates, read_json(files));
  AMBRY_TRY(places[2].templates, read_value(settings, kSettingsFile));
  Place* taken = nullptr;
  for (Place& place : places) {
    if (place.templates.empty()) continue;
    if (taken != nullptr) {
      report_lost(*taken, place, warnings);
    } else {
      taken = &place;
    }
  }
  return taken == nullptr ? ChatTemplates() : std::move(taken->templates);
}

}  // namespace ambry::formats::huggingface

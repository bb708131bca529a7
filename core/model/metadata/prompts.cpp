#include "model/metadata/prompts.h"

#include <algorithm>

#include "model/metadata/metadata_value.h"

namespace ambry::model {

Result<void> read_prompts(const io::Json& metadata, Prompts& prompts, std::string& default_name) {
  if (const auto text = metadata_text(metadata, "prompts"); text && !text->empty()) {
    auto stated = io::parse_json(*text);
    if (!stated || !stated->is_object()) {
      return metadata_error(metadata, "prompts", ErrorCode::BadValue,
                            "expected a JSON object of strings");
    }
    for (const auto& [name, prompt] : stated->members()) {
      if (!prompt.is_string()) {
        return metadata_error(metadata, "prompts", ErrorCode::BadValue,
                              {"the prompt \"", name, "\" is not a string"});
      }
      prompts.emplace_back(name, prompt.string());
    }
  }
  default_name = metadata_text(metadata, "default_prompt_name").value_or("");
  if (default_name.empty()) return {};
  const auto has_name = [&](const auto& prompt) { return prompt.first == default_name; };
  if (std::ranges::any_of(prompts, has_name)) return {};
  return metadata_error(metadata, "default_prompt_name", ErrorCode::NotFound,
                        {"there is no prompt \"", default_name, "\""});
}

void set_prompts(const Prompts& prompts, const std::string& default_name, io::Json& metadata) {
  if (!prompts.empty()) {
    io::Json texts = io::Json::object();
    for (const auto& [name, prompt] : prompts) texts.set(name, prompt);
    metadata.set("prompts", texts.dump());
  }
  if (!default_name.empty()) metadata.set("default_prompt_name", default_name);
}

}  // namespace ambry::model

#include "model/tokenizer/chat_templates.h"

#include <algorithm>

#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

constexpr const char* kDefaultKey = "chat_template";
constexpr const char* kOthersKey = "chat_templates";

}  // namespace

const std::string* find_template(const ChatTemplates& templates, std::string_view name) {
  const auto found = std::ranges::find(templates, name, &ChatTemplates::value_type::first);
  return found == templates.end() ? nullptr : &found->second;
}

Result<void> add_template(std::string_view name, std::string_view text, const Text& path,
                          ChatTemplates& templates) {
  if (text.size() > kMaxChatTemplateBytes) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {"a chat template of ", text.size(), " bytes, at most ",
                       kMaxChatTemplateBytes, " are supported"});
  }
  const auto found = std::ranges::find(templates, name, &ChatTemplates::value_type::first);
  if (found != templates.end()) {
    found->second = text;
    return {};
  }
  if (templates.size() == kMaxChatTemplates) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {"more than ", kMaxChatTemplates, " chat templates are not supported"});
  }
  templates.emplace_back(name, text);
  return {};
}

Result<ChatTemplates> read_chat_templates(const io::Json& options, std::string_view path) {
  ChatTemplates templates;
  const auto add = [&](std::string_view name, const io::Json& text,
                       const Text& at) -> Result<void> {
    if (text.is_string()) return add_template(name, text.string(), at, templates);
    return error_at(ErrorCode::BadValue, text.byte_offset(), at, "a chat template is a text");
  };
  if (has_value(options, kDefaultKey)) {
    AMBRY_RETURN_IF_ERROR(
        add(kDefaultTemplate, *options.find(kDefaultKey), {path, ".", kDefaultKey}));
  }
  if (!has_value(options, kOthersKey)) return templates;
  const io::Json& others = *options.find(kOthersKey);
  if (!others.is_object()) {
    return error_at(ErrorCode::BadValue, others.byte_offset(), {path, ".", kOthersKey},
                    "expected an object of names and texts");
  }
  for (const auto& [name, text] : others.members()) {
    AMBRY_RETURN_IF_ERROR(add(name, text, {path, ".", kOthersKey, ".", name}));
  }
  return templates;
}

void put_chat_templates(const ChatTemplates& templates, io::Json& options) {
  io::Json others = io::Json::object();
  for (const auto& [name, text] : templates) {
    if (name == kDefaultTemplate) {
      options.set(kDefaultKey, std::string_view(text));
    } else {
      others.set(name, std::string_view(text));
    }
  }
  if (!others.members().empty()) options.set(kOthersKey, std::move(others));
}

ChatTemplates chat_templates_of(const io::Json& config) {
  const io::Json* options = config.find("tokenizer");
  auto templates = read_chat_templates(options == nullptr ? io::Json() : *options, "config");
  return templates ? std::move(*templates) : ChatTemplates();
}

io::Json template_names(const ChatTemplates& templates) {
  io::Json names = io::Json::array();
  for (const auto& [name, text] : templates) names.append(std::string_view(name));
  return names;
}

}  // namespace ambry::model

// The templates that turn conversations into texts, as AMB's `config.tokenizer` holds them
// (core/formats/amb/README.md#chat-template).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

// Names with texts in Jinja.
using ChatTemplates = std::vector<std::pair<std::string, std::string>>;

// The name of the template for conversations that ask for no other.
inline constexpr std::string_view kDefaultTemplate = "default";
inline constexpr size_t kMaxChatTemplates = 64;
inline constexpr size_t kMaxChatTemplateBytes = size_t{1} << 20;

// The text, or nullptr.
[[nodiscard]] const std::string* find_template(const ChatTemplates& templates,
                                               std::string_view name);

// Adds a template, or replaces the one of that name. LimitExceeded at `path` for one too many, or a
// text that is too long.
[[nodiscard]] Result<void> add_template(std::string_view name, std::string_view text,
                                        const Text& path, ChatTemplates& templates);

// Reads `chat_template`, which is the default, and `chat_templates`, an object of the others by
// name. BadValue for anything else, with `path` at the start of its path.
[[nodiscard]] Result<ChatTemplates> read_chat_templates(const io::Json& options,
                                                        std::string_view path);
void put_chat_templates(const ChatTemplates& templates, io::Json& options);

// The templates of a model's config, which were checked when it was read.
[[nodiscard]] ChatTemplates chat_templates_of(const io::Json& config);
// The names as a list.
[[nodiscard]] io::Json template_names(const ChatTemplates& templates);

}  // namespace ambry::model

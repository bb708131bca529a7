// The chat templates of a GGUF file: `tokenizer.chat_template`, and those with a name in
// `tokenizer.chat_template.<name>`, which `tokenizer.chat_templates` lists.
#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/chat_templates.h"

namespace ambry::formats::gguf {

[[nodiscard]] bool is_template_key(std::string_view key);

// BadValue for a template that is no text. A name in the list without a template is a warning.
[[nodiscard]] Result<model::ChatTemplates> read_template_keys(const io::Json& metadata,
                                                              std::vector<Error>& warnings);

// In names, characters other than ASCII letters and digits become `_`, as llama.cpp's converter has
// it.
void put_template_keys(const model::ChatTemplates& templates, io::Json& metadata);

}  // namespace ambry::formats::gguf

// Reads the chat templates of a directory, which lie in any of four places.
#pragma once

#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/tokenizer/chat_templates.h"

namespace ambry::formats::huggingface {

// Reads chat_template.jinja with additional_chat_templates/*.jinja, else chat_template.json, else
// `chat_template` of tokenizer_config.json (`settings`). A template that another place states and
// this one has not, or has otherwise, is left out with a warning. Errors name the file.
[[nodiscard]] Result<model::ChatTemplates> read_chat_template_files(const SideFiles& files,
                                                                    const io::Json& settings,
                                                                    std::vector<Error>& warnings);

}  // namespace ambry::formats::huggingface

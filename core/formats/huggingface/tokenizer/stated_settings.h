// What the files beside a tokenizer say of it, whatever its own file is.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "formats/huggingface/side_files/side_files.h"
#include "io/json/json.h"
#include "model/tokenizer/chat_templates.h"

namespace ambry::formats::huggingface {

struct StatedSettings {
  model::ChatTemplates templates;
  // The texts of special tokens by role: {"bos": "<s>"}.
  io::Json special = io::Json::object();
  // Whether texts are lower-cased (`do_lower_case`).
  std::optional<bool> lowercase;
  // Whether texts begin and end with special tokens (`add_bos_token`, `add_eos_token`).
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
};

// Reads the chat templates (template_files.h), and the rest from tokenizer_config.json; special
// tokens that it does not name from special_tokens_map.json. Errors name the file.
[[nodiscard]] Result<StatedSettings> read_stated_settings(const SideFiles& files,
                                                          std::vector<Error>& warnings);

}  // namespace ambry::formats::huggingface

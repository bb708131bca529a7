// Reads a tokenizer out of a file of any kind: a model file, a tokenizer.json, a tekken.json, a
// tokenizer.model, a file of tiktoken or a vocab.txt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/tokenizer/json_tokenizer.h"
#include "base/error.h"
#include "base/result.h"
#include "io/json/json.h"
#include "io/source.h"
#include "model/tokenizer/chat_templates.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::api {

// What a caller says of a file that does not say it.
struct TokenizerSettings {
  std::optional<bool> lowercase = {};  // whether a vocab.txt is of an uncased model
  io::Json encoding = {};  // null, or how a tiktoken file is read (tiktoken_encodings.h)
  EndSwitches ends = {};   // what the settings beside a tokenizer.json say of its ends
};

struct ParsedTokenizer {
  model::TokenizerData data;
  // How ids become text, if not as the kind does: `decoder` of a tokenizer.json as JSON
  // (text/tokenizer_json/stepped_tokenizer.h).
  std::string decoder;
  bool is_tiktoken = false;        // whether the file needs an encoding
  std::string encoding;            // its name, if it has one
  model::ChatTemplates templates;  // the file's own
  std::vector<Error> warnings;     // what was assumed or left out
};

// NeedBytes while bytes are missing. Unsupported, with the name, for an unknown kind. BadValue for
// a setting that this file does not need, because it states it.
[[nodiscard]] Result<ParsedTokenizer> parse_any_tokenizer(const io::Source& source,
                                                          const TokenizerSettings& settings);

}  // namespace ambry::api

// A whole tokenizer.json as what core/text runs, be it a file of its own or kept in a model's.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/model.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::api {

// BPE, WordPiece; every other one is Custom with `text` as its payload, for text::make_tokenizer
// to run (Unigram) or to name. Offsets of errors count from the start of `text`.
[[nodiscard]] Result<model::TokenizerData> parse_json_tokenizer(std::string_view text);

// Reads a payload that is a tokenizer.json, and leaves every other tokenizer as it is. What the
// model's file states by itself, its ids and `config.tokenizer`, overrides what the payload says.
[[nodiscard]] Result<void> resolve_custom_tokenizer(model::Model& model);

}  // namespace ambry::api

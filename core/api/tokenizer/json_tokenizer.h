// Reads a whole tokenizer.json as a tokenizer for core/text, from a file of its own or from a model
// file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/file/model.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::api {

// Reads BPE and WordPiece. Any other model becomes Custom with `text` as its payload, which
// text::make_tokenizer runs (Unigram) or rejects by name. Offsets of errors count from the start of
// `text`. With `streams`, ids must become text one by one, as those of an answer do, so only the
// usual decoder of the kind is taken; else the file's decoder does not count.
[[nodiscard]] Result<model::TokenizerData> parse_json_tokenizer(std::string_view text,
                                                                bool streams);
// Reads what parse_json() made of `text`.
[[nodiscard]] Result<model::TokenizerData> parse_json_tokenizer(const io::Json& root,
                                                                std::string_view text,
                                                                bool streams);

// Which ends of texts a tokenizer_config.json turns on or off (`add_bos_token`, `add_eos_token`),
// and the texts of their tokens.
struct EndSwitches {
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;
  std::string bos;
  std::string eos;
};

// Turns ends of `data` on or off, which was read from `root`. An end that it has keeps its token.
// NotFound for an end whose token is not known.
[[nodiscard]] Result<void> switch_ends(const EndSwitches& switches, const io::Json& root,
                                       model::TokenizerData& data);

// Reads a payload that is a tokenizer.json; leaves any other tokenizer unchanged. The model file's
// own ids and `config.tokenizer` override the payload.
[[nodiscard]] Result<void> resolve_custom_tokenizer(model::Model& model, bool streams);

// Whether the model makes text, so that its tokenizer must turn ids to text. Only language models
// have a configuration; some of them make embeddings.
[[nodiscard]] bool writes_text(const model::Model& model);

}  // namespace ambry::api

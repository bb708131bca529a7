// Tokens over the border: what a text became, and lists of ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "text/tokenizer/encoding.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

// {ids, tokens, typeIds, offsets, byteOffsets}; `tokens` are their texts.
[[nodiscard]] io::Json encoding_document(const text::Encoding& encoding, io::Json tokens);

// A JSON array of whole numbers below `size`; BadValue with the path `<name>[i]` for another.
[[nodiscard]] Result<std::vector<uint32_t>> read_ids(const io::Json& list, uint64_t size,
                                                     std::string_view name);

// The two over a tokenizer of any kind, as JSON and as text: encoding_document() of `text`, and of
// `pair` unless it is nullptr (Unsupported where the kind has no pairs); and the text of `ids`, a
// JSON array.
[[nodiscard]] Result<std::string> tokenize(const text::Tokenizer& tokenizer, std::string_view text,
                                           const std::string_view* pair, bool special);
[[nodiscard]] Result<std::string> detokenize(const text::Tokenizer& tokenizer, std::string_view ids,
                                             bool skip_special);

}  // namespace ambry::api

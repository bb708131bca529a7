// Tokens and lists of ids as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "text/tokenizer/tokenizer.h"
#include "text/unicode/encoding.h"

namespace ambry::api {

// {ids, tokens, typeIds, offsets, byteOffsets}. `tokens` are the texts of the tokens.
[[nodiscard]] io::Json encoding_document(const text::Encoding& encoding, io::Json tokens);

// Reads a JSON array of integers below `size`. BadValue with the path `<name>[i]` for any other
// value.
[[nodiscard]] Result<std::vector<uint32_t>> read_ids(const io::Json& list, uint64_t size,
                                                     std::string_view name);

// Encoding and decoding with a tokenizer of any kind. The first gives encoding_document() of
// `text`, and of `pair` unless it is nullptr (Unsupported when the kind has no pairs). The second
// gives the text of `ids`, a JSON array.
[[nodiscard]] Result<std::string> tokenize(const text::Tokenizer& tokenizer, std::string_view text,
                                           const std::string_view* pair, bool special);
// The number of tokens without special ones, or `most` if there are more, as JSON.
[[nodiscard]] std::string count_tokens(const text::Tokenizer& tokenizer, std::string_view text,
                                       uint64_t most);
[[nodiscard]] Result<std::string> detokenize(const text::Tokenizer& tokenizer, std::string_view ids,
                                             bool skip_special);

}  // namespace ambry::api

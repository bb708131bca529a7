// Tokens over the border: what a text became, and lists of ids.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json.h"
#include "text/encoding.h"

namespace ambry::api {

// {ids, tokens, typeIds, offsets, byteOffsets}; `tokens` are their texts.
[[nodiscard]] io::Json encoding_document(const text::Encoding& encoding, io::Json tokens);

// A JSON array of whole numbers below `size`; BadValue with the path `<name>[i]` for another.
[[nodiscard]] Result<std::vector<uint32_t>> read_ids(const io::Json& list, uint64_t size,
                                                     std::string_view name);

}  // namespace ambry::api

// Reads a text with its length before it, as both versions write it.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/diagnostics.h"

namespace ambry::formats::alt {

// The unit of the length: bytes, or code points when the author's Python writer forgot to encode
// the text first (README.md#fault-characters).
enum class Counting : uint8_t { Bytes, Characters };

// Strips one NUL from the end. Reports it if `diagnostics` is given.
[[nodiscard]] Result<std::string_view> read_text(io::ByteReader& reader, const char* field,
                                                 Counting counting, io::Diagnostics* diagnostics);

}  // namespace ambry::formats::alt

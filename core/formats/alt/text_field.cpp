#include "formats/alt/text_field.h"

#include <string>

#include "base/utf8.h"
#include "formats/alt/alt_layout.h"

namespace ambry::formats::alt {
namespace {

// The number of bytes that `count` code points take from the reader's position on.
Result<uint64_t> bytes_of_characters(io::ByteReader reader, int32_t count, const char* field) {
  const uint64_t start = reader.position();
  for (int32_t i = 0; i < count; ++i) {
    const uint64_t at = reader.position();
    AMBRY_TRY(const auto first, reader.read<uint8_t>(field));
    const uint64_t n_bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    reader.seek(at);
    AMBRY_RETURN_IF_ERROR(reader.read_utf8(n_bytes, field));
  }
  return reader.position() - start;
}

}  // namespace

Result<std::string_view> read_text(io::ByteReader& reader, const char* field, Counting counting,
                                   io::Diagnostics* diagnostics) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const auto length, reader.read<int32_t>(field));
  if (length < 0 || length > kMaxTextBytes) {
    return reader.fail(ErrorCode::BadValue, at, field,
                       "a length of " + std::to_string(length) + ", allowed are 0 to 1 MiB");
  }
  auto n_bytes = static_cast<uint64_t>(length);
  if (counting == Counting::Characters) {
    AMBRY_TRY(n_bytes, bytes_of_characters(reader, length, field));
  }
  AMBRY_TRY(std::string_view text, reader.read_utf8(n_bytes, field));
  if (text.ends_with('\0')) {
    text.remove_suffix(1);
    if (diagnostics != nullptr) {
      diagnostics->tolerate(reader.fail(ErrorCode::BadValue, reader.position() - 1, field,
                                        "ends in a NUL, which is not part of a text"));
    }
  }
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return reader.fail(ErrorCode::BadValue, at + sizeof(int32_t) + nul, field,
                       "a NUL byte in the text");
  }
  return text;
}

}  // namespace ambry::formats::alt

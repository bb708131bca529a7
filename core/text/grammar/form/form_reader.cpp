#include "text/grammar/form/form_reader.h"

#include <charconv>

#include "base/utf8.h"
#include "text/grammar/form/form_limits.h"

namespace ambry::text {

Result<void> FormReader::check() const {
  if (text_.size() > kMaxFormBytes) {
    return fail(ErrorCode::LimitExceeded, kMaxFormBytes,
                {"this text is longer than ", kMaxFormBytes, " bytes"});
  }
  if (const auto invalid = find_invalid_utf8(text_)) {
    return fail(ErrorCode::BadValue, *invalid, "this is not UTF-8");
  }
  return {};
}

char32_t FormReader::take_code_point() {
  const DecodedCodePoint c = decode_utf8(text_, position_);
  position_ += c.n_bytes;
  return c.code_point;
}

Result<char32_t> FormReader::take_hex(size_t n_digits) {
  const std::string_view digits = text_.substr(position_, n_digits);
  uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, value, 16);
  if (digits.size() < n_digits || problem != std::errc() || stop != end) {
    return bad({uint64_t{n_digits}, " hexadecimal digits are expected"});
  }
  position_ += n_digits;
  return value;
}

Result<uint32_t> FormReader::take_count() {
  const size_t begin = position_;
  const std::string_view digits = take_while([](char c) { return c >= '0' && c <= '9'; });
  if (digits.empty()) return bad("a number of repetitions is expected");
  uint32_t value = 0;
  const auto [_, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || value > kMaxRepetitions) {
    return fail(ErrorCode::LimitExceeded, begin,
                {"a part can be repeated ", kMaxRepetitions, " times at most"});
  }
  return value;
}

Failure FormReader::fail(ErrorCode code, size_t position, const Text& message) const {
  return error_at(code, position, path_, message);
}

}  // namespace ambry::text

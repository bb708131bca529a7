#include "io/json/json_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "io/ascii.h"
#include "io/number/parse_double.h"

namespace ambry::io {
namespace {

// Reads four hexadecimal digits. Returns nothing when there are fewer.
std::optional<uint32_t> read_hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  uint32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    uint32_t digit = 0;
    if (is_digit(c)) {
      digit = static_cast<uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      digit = static_cast<uint32_t>(lower - 'a') + 10;
    } else {
      return std::nullopt;
    }
    value = value * 16 + digit;
  }
  return value;
}

struct Escape {
  char32_t code_point = 0;
  size_t size = 0;  // 0: not a valid JSON escape
};

// Reads the escape at the start of `text`, which begins with a backslash. Surrogates must come in
// pairs.
Escape read_escape(std::string_view text) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  if (text.size() < 2) return {};
  if (const size_t named = kNames.find(text[1]); named != std::string_view::npos) {
    return {static_cast<unsigned char>(kValues[named]), 2};
  }
  if (text[1] != 'u') return {};
  const auto first = read_hex4(text.substr(2));
  if (!first || (*first >= 0xDC00 && *first <= 0xDFFF)) return {};
  if (*first < 0xD800 || *first > 0xDBFF) return {*first, 6};
  if (!text.substr(6).starts_with("\\u")) return {};
  const auto second = read_hex4(text.substr(8));
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return {};
  return {0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00), 12};
}

}  // namespace

JsonReader::JsonReader(std::string_view text, uint64_t base_offset, std::string_view path)
    : text_(text), base_offset_(base_offset), path_(path) {}

Failure JsonReader::fail(ErrorCode code, const Text& message) const {
  return fail_at(start_, code, message);
}

Failure JsonReader::fail_at(size_t position, ErrorCode code, const Text& message) const {
  return error_at(code, base_offset_ + position, path_, message);
}

void JsonReader::skip_space() {
  while (!at_end()) {
    const char c = text_[position_];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
    ++position_;
  }
}

Result<JsonEvent> JsonReader::next() {
  if (!checked_utf8_) {
    checked_utf8_ = true;
    if (text_.starts_with("\xEF\xBB\xBF")) {
      return fail_at(0, ErrorCode::BadValue, "a byte order mark precedes the JSON text; remove it");
    }
    if (const auto bad = find_invalid_utf8(text_)) {
      return fail_at(*bad, ErrorCode::BadValue, "not valid UTF-8");
    }
  }
  skip_space();
  start_ = position_;
  if (expect_ == Expect::Nothing) return read_document_end();
  if (at_end()) return fail(ErrorCode::Truncated, "the JSON text ends too early");
  switch (expect_) {
    case Expect::FirstItem:
      if (peek() == ']') return close();
      return read_value();
    case Expect::FirstKey:
      if (peek() == '}') return close();
      return read_key();
    case Expect::CommaOrEnd:
      return read_separated();
    case Expect::Key:
      return read_key();
    default:
      return read_value();
  }
}

Result<JsonEvent> JsonReader::read_document_end() {
  if (!at_end()) return fail(ErrorCode::BadValue, "text follows after the JSON value");
  return JsonEvent::End;
}

// Reads what follows an item: a comma and the next item, or the closing bracket.
Result<JsonEvent> JsonReader::read_separated() {
  const bool in_object = open_brackets_.back() == '{';
  if (peek() == (in_object ? '}' : ']')) return close();
  if (peek() != ',') return fail(ErrorCode::BadValue, "a comma or a closing bracket is missing");
  ++position_;
  skip_space();
  start_ = position_;
  if (at_end()) return fail(ErrorCode::Truncated, "the JSON text ends too early");
  return in_object ? read_key() : read_value();
}

Result<JsonEvent> JsonReader::read_key() {
  if (peek() != '"') return fail(ErrorCode::BadValue, "a key in double quotes is missing");
  AMBRY_RETURN_IF_ERROR(read_string());
  const size_t key_start = start_;
  skip_space();
  if (peek() != ':') {
    return fail_at(position_, at_end() ? ErrorCode::Truncated : ErrorCode::BadValue,
                   "a colon is missing after the key");
  }
  ++position_;
  start_ = key_start;
  expect_ = Expect::Value;
  return JsonEvent::Key;
}

Result<JsonEvent> JsonReader::read_value() {
  const char c = peek();
  if (c == '[' || c == '{') return open(c);
  AMBRY_TRY(const JsonEvent event, c == '"'                  ? read_string()
                                   : c == '-' || is_digit(c) ? read_number()
                                                             : read_literal());
  finish_value();
  return event;
}

Result<JsonEvent> JsonReader::open(char bracket) {
  if (open_brackets_.size() == kMaxJsonDepth) {
    return fail(ErrorCode::LimitExceeded, {"nested deeper than ", kMaxJsonDepth, " levels"});
  }
  open_brackets_.push_back(bracket);
  ++position_;
  expect_ = bracket == '[' ? Expect::FirstItem : Expect::FirstKey;
  return bracket == '[' ? JsonEvent::ArrayBegin : JsonEvent::ObjectBegin;
}

JsonEvent JsonReader::close() {
  const char bracket = open_brackets_.back();
  open_brackets_.pop_back();
  ++position_;
  finish_value();
  return bracket == '[' ? JsonEvent::ArrayEnd : JsonEvent::ObjectEnd;
}

void JsonReader::finish_value() {
  expect_ = open_brackets_.empty() ? Expect::Nothing : Expect::CommaOrEnd;
}

// A string without escapes, the common case, borrows from the text.
Result<JsonEvent> JsonReader::read_string() {
  const size_t begin = position_ + 1;
  size_t copied = begin;  // the text before it is already in unescaped_
  bool escaped = false;
  for (size_t i = begin; i < text_.size();) {
    const auto c = static_cast<unsigned char>(text_[i]);
    if (c == '"') {
      string_ = text_.substr(copied, i - copied);
      if (escaped) {
        unescaped_ += string_;
        string_ = unescaped_;
      }
      position_ = i + 1;
      return JsonEvent::String;
    }
    if (c < 0x20) return fail_at(i, ErrorCode::BadValue, "the string holds a control character");
    if (c != '\\') {
      ++i;
      continue;
    }
    const Escape escape = read_escape(text_.substr(i));
    if (escape.size == 0) {
      return fail_at(i, ErrorCode::BadValue,
                     "the string holds an invalid escape or half a surrogate pair");
    }
    if (!std::exchange(escaped, true)) unescaped_.clear();
    unescaped_ += text_.substr(copied, i - copied);
    append_utf8(unescaped_, escape.code_point);
    i += escape.size;
    copied = i;
  }
  return fail_at(text_.size(), ErrorCode::Truncated, "the string has no closing quote");
}

Result<JsonEvent> JsonReader::read_literal() {
  const std::pair<std::string_view, JsonEvent> kLiterals[] = {
      {"null", JsonEvent::Null}, {"true", JsonEvent::Bool}, {"false", JsonEvent::Bool}};
  for (const auto& [word, event] : kLiterals) {
    if (peek() != word[0]) continue;
    for (const char c : word) {
      if (peek() != c) {
        return fail_at(position_, at_end() ? ErrorCode::Truncated : ErrorCode::BadValue,
                       "not a JSON value");
      }
      ++position_;
    }
    boolean_ = word[0] == 't';
    return event;
  }
  return fail(ErrorCode::BadValue, "not a JSON value");
}

// Skips the digits; there must be at least one.
Result<void> JsonReader::skip_digits() {
  if (!is_digit(peek())) {
    return fail_at(position_, at_end() ? ErrorCode::Truncated : ErrorCode::BadValue,
                   "a digit is missing in the number");
  }
  while (is_digit(peek())) ++position_;
  return {};
}

Result<JsonEvent> JsonReader::read_number() {
  const bool negative = peek() == '-';
  if (negative) ++position_;
  const size_t digits = position_;
  if (peek() == '0') {
    ++position_;  // no digit may follow a leading zero
  } else {
    AMBRY_RETURN_IF_ERROR(skip_digits());
  }
  const std::string_view integer_part = text_.substr(digits, position_ - digits);
  bool is_integer = true;
  if (peek() == '.') {
    is_integer = false;
    ++position_;
    AMBRY_RETURN_IF_ERROR(skip_digits());
  }
  if (peek() == 'e' || peek() == 'E') {
    is_integer = false;
    ++position_;
    if (peek() == '+' || peek() == '-') ++position_;
    AMBRY_RETURN_IF_ERROR(skip_digits());
  }
  if (is_integer && store_integer(integer_part, negative)) {
    return negative && uint_ != 0 ? JsonEvent::Int : JsonEvent::Uint;
  }
  double_ = parse_double(text_.substr(start_, position_ - start_));
  if (std::isfinite(double_)) return JsonEvent::Double;
  return fail(ErrorCode::Overflow, "the number does not fit into a double");
}

// Stores an integer. Returns false when it does not fit into 64 bits.
bool JsonReader::store_integer(std::string_view digits, bool negative) {
  uint64_t value = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(value, uint64_t{10}, &value)) return false;
    if (__builtin_add_overflow(value, static_cast<uint64_t>(c - '0'), &value)) return false;
  }
  if (negative && value > uint64_t{1} << 63) return false;
  uint_ = value;
  integer_ = static_cast<int64_t>(negative ? ~value + 1 : value);
  return true;
}

}  // namespace ambry::io

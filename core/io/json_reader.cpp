#include "io/json_reader.h"

#include <algorithm>
#include <cassert>
#include <optional>

// Our own assert, so that release builds carry no message strings of RapidJSON's.
#define RAPIDJSON_ASSERT(condition) assert(condition)
// Its stack adds to a null pointer before it holds anything: harmless, but undefined by the letter.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/reader.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif

#include "base/utf8.h"

namespace ambry::io {
namespace {

// The text from a position on, as RapidJSON's stream concept: '\0' stands for the end.
class BoundedStream {
 public:
  using Ch = char;
  BoundedStream(std::string_view text, size_t position) : text_(text), position_(position) {}
  [[nodiscard]] Ch Peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  Ch Take() { return position_ < text_.size() ? text_[position_++] : '\0'; }
  [[nodiscard]] size_t Tell() const { return position_; }
  // Only in-situ parsing, which we never ask for, writes to its stream.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch /*c*/) {}
  size_t PutEnd(Ch* /*begin*/) { return 0; }

 private:
  std::string_view text_;
  size_t position_;
};

// RapidJSON normalises a significand of zero, which is undefined: 0.000…0 and 0e91 are ours to
// read. Where such a zero's digits end; nothing for a plain 0 and for all other text.
std::optional<size_t> find_end_of_zero(std::string_view text, size_t position) {
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  size_t end = position + (at(position) == '-' ? 1 : 0);
  if (at(end++) != '0') return std::nullopt;
  const bool has_point = at(end) == '.';
  if (has_point) {
    const size_t fraction = end + 1;
    end = std::min(text.find_first_not_of('0', fraction), text.size());
    if (end == fraction || (at(end) >= '1' && at(end) <= '9')) return std::nullopt;
  }
  if (has_point || at(end) == 'e' || at(end) == 'E') return end;
  return std::nullopt;
}

// RapidJSON gathers up to 2^64-1 as the significand and then adds one for a next digit of 5 or
// more, which wraps to zero. The position of that digit; nothing for all other text.
std::optional<size_t> find_wrapping_digit(std::string_view text, size_t position) {
  constexpr std::string_view kLargest = "18446744073709551615";
  size_t matched = 0;
  for (size_t i = position; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '-' || c == '.' || (c == '0' && matched == 0)) continue;
    if (matched == kLargest.size()) return c >= '5' && c <= '9' ? std::optional(i) : std::nullopt;
    if (c != kLargest[matched++]) return std::nullopt;
  }
  return std::nullopt;
}

std::string_view describe_parse_error(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "an escape or control character that JSON does not allow in a string";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "a lone surrogate in a \\u escape";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "the string has no closing quote";
    case rapidjson::kParseErrorNumberMissFraction:
    case rapidjson::kParseErrorNumberMissExponent:
      return "the number is incomplete";
    default:
      return "not a JSON value";
  }
}

}  // namespace

// Receives exactly one scalar.
struct JsonReader::ScalarHandler {
  JsonReader& reader;
  JsonEvent event = JsonEvent::Null;

  bool take(JsonEvent kind) {
    event = kind;
    return true;
  }
  bool Null() { return take(JsonEvent::Null); }
  bool Bool(bool value) {
    reader.boolean_ = value;
    return take(JsonEvent::Bool);
  }
  bool Int64(int64_t value) {
    reader.integer_ = value;
    reader.uint_ = static_cast<uint64_t>(value);
    reader.double_ = static_cast<double>(value);
    return take(value < 0 ? JsonEvent::Int : JsonEvent::Uint);
  }
  bool Uint64(uint64_t value) {
    reader.integer_ = static_cast<int64_t>(value);
    reader.uint_ = value;
    reader.double_ = static_cast<double>(value);
    return take(JsonEvent::Uint);
  }
  bool Int(int value) { return Int64(value); }
  bool Uint(unsigned value) { return Uint64(value); }
  bool Double(double value) {
    reader.double_ = value;
    return take(JsonEvent::Double);
  }
  bool String(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    reader.unescaped_.assign(text, size);
    return take(JsonEvent::String);
  }
  // Structure never reaches RapidJSON.
  bool RawNumber(const char* /*text*/, rapidjson::SizeType /*size*/, bool /*copy*/) {
    return false;
  }
  bool Key(const char* /*text*/, rapidjson::SizeType /*size*/, bool /*copy*/) { return false; }
  bool StartObject() { return false; }
  bool EndObject(rapidjson::SizeType /*count*/) { return false; }
  bool StartArray() { return false; }
  bool EndArray(rapidjson::SizeType /*count*/) { return false; }
};

JsonReader::JsonReader(std::string_view text, uint64_t base_offset, std::string_view path)
    : text_(text), base_offset_(base_offset), path_(path) {}

Error JsonReader::fail(ErrorCode code, std::string message) const {
  return fail_at(start_, code, std::move(message));
}

Error JsonReader::fail_at(size_t position, ErrorCode code, std::string message) const {
  return error_at(code, base_offset_ + position, path_, std::move(message));
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
      return fail_at(0, ErrorCode::BadValue, "a byte order mark before the JSON text");
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

// After an item: a comma and the next item, or the closing bracket.
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
  if (!read_plain_string()) {
    AMBRY_CHECK(read_scalar());
  }
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
  if (c == '"' && read_plain_string()) {
    finish_value();
    return JsonEvent::String;
  }
  AMBRY_TRY(const JsonEvent event, read_scalar());
  finish_value();
  return event;
}

Result<JsonEvent> JsonReader::open(char bracket) {
  if (open_brackets_.size() == kMaxJsonDepth) {
    return fail(ErrorCode::LimitExceeded,
                "nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
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

// The common case, a string without escapes, is borrowed from the text. False, with nothing
// consumed, for all others.
bool JsonReader::read_plain_string() {
  for (size_t end = position_ + 1; end < text_.size(); ++end) {
    const auto c = static_cast<unsigned char>(text_[end]);
    if (c == '"') {
      string_ = text_.substr(position_ + 1, end - position_ - 1);
      position_ = end + 1;
      return true;
    }
    if (c == '\\' || c < 0x20) return false;
  }
  return false;
}

Result<JsonEvent> JsonReader::read_scalar() {
  constexpr unsigned kFlags =
      rapidjson::kParseStopWhenDoneFlag | rapidjson::kParseFullPrecisionFlag;
  if (const auto zero_end = find_end_of_zero(text_, position_)) {
    position_ = *zero_end;
    return read_exponent_of_zero();
  }
  std::string patched;
  std::string_view text = text_;
  size_t text_start = 0;
  if (const auto digit = find_wrapping_digit(text_, position_)) {
    // The 21st digit, ten thousand times below what a double holds, gives way.
    const size_t end = text_.find_first_not_of("+-.eE0123456789", position_);
    patched = text_.substr(position_, end - position_);
    patched[*digit - position_] = '4';
    text = patched;
    text_start = position_;
  }
  BoundedStream stream(text, position_ - text_start);
  ScalarHandler handler{*this};
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, handler);
  if (result.IsError()) {
    if (result.Code() == rapidjson::kParseErrorNumberTooBig) {
      return fail(ErrorCode::Overflow, "the number does not fit into a double");
    }
    const size_t offset = text_start + result.Offset();
    const bool cut_off = offset >= text_.size();
    return fail_at(offset, cut_off ? ErrorCode::Truncated : ErrorCode::BadValue,
                   std::string(describe_parse_error(result.Code())));
  }
  position_ = text_start + stream.Tell();
  if (handler.event == JsonEvent::String) {
    string_ = unescaped_;
    // RapidJSON lets a low surrogate without its high one pass.
    if (find_invalid_utf8(string_)) {
      return fail(ErrorCode::BadValue, "a lone surrogate in a \\u escape");
    }
  }
  return handler.event;
}

// The value is zero whatever exponent follows, if one does.
Result<JsonEvent> JsonReader::read_exponent_of_zero() {
  double_ = text_[start_] == '-' ? -0.0 : 0.0;
  if (peek() != 'e' && peek() != 'E') return JsonEvent::Double;
  ++position_;
  if (peek() == '+' || peek() == '-') ++position_;
  const size_t digits_end =
      std::min(text_.find_first_not_of("0123456789", position_), text_.size());
  if (digits_end == position_) {
    return fail_at(position_, at_end() ? ErrorCode::Truncated : ErrorCode::BadValue,
                   "the number is incomplete");
  }
  position_ = digits_end;
  return JsonEvent::Double;
}

}  // namespace ambry::io

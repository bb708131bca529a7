// Reads JSON as a sequence of events, for texts too large to become a tree. Each call returns one
// value or bracket and its offset. The depth is bounded and nothing recurses. RapidJSON 1.1 was the
// alternative: it reads outside its tables for some numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ambry::io {

inline constexpr size_t kMaxJsonDepth = 64;

enum class JsonEvent : uint8_t {
  Null,
  Bool,
  Int,  // a negative integer
  Uint,
  Double,
  String,
  Key,
  ArrayBegin,
  ArrayEnd,
  ObjectBegin,
  ObjectEnd,
  End,  // the document is complete and only white space follows
};

class JsonReader {
 public:
  // `text` must outlive the reader. It starts at `base_offset` of its file, and `path` is the path
  // of errors.
  explicit JsonReader(std::string_view text, uint64_t base_offset = 0,
                      std::string_view path = "json");

  // Keys come as they are in the text. The caller must reject duplicates.
  [[nodiscard]] Result<JsonEvent> next();

  // About the last event: where it starts in the file, and its value. A string is valid until
  // next().
  [[nodiscard]] uint64_t byte_offset() const { return base_offset_ + start_; }
  [[nodiscard]] std::string_view string() const { return string_; }
  [[nodiscard]] bool boolean() const { return boolean_; }
  [[nodiscard]] uint64_t uint() const { return uint_; }
  [[nodiscard]] int64_t integer() const { return integer_; }
  [[nodiscard]] double number() const { return double_; }

  // Makes an error about the last event.
  [[nodiscard]] Failure fail(ErrorCode code, const Text& message) const;

 private:
  enum class Expect : uint8_t { Value, FirstItem, FirstKey, Key, CommaOrEnd, Nothing };

  void skip_space();
  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }
  [[nodiscard]] Failure fail_at(size_t position, ErrorCode code, const Text& message) const;

  Result<JsonEvent> read_document_end();
  Result<JsonEvent> read_separated();
  Result<JsonEvent> read_key();
  Result<JsonEvent> read_value();
  Result<JsonEvent> open(char bracket);
  JsonEvent close();
  Result<JsonEvent> read_string();
  Result<JsonEvent> read_literal();
  Result<JsonEvent> read_number();
  Result<void> skip_digits();
  [[nodiscard]] bool store_integer(std::string_view digits, bool negative);
  void finish_value();

  std::string_view text_;
  uint64_t base_offset_;
  std::string path_;
  size_t position_ = 0;
  size_t start_ = 0;
  Expect expect_ = Expect::Value;
  bool checked_utf8_ = false;
  std::string open_brackets_;  // a stack of '[' and '{'

  std::string_view string_;
  std::string unescaped_;
  bool boolean_ = false;
  uint64_t uint_ = 0;
  int64_t integer_ = 0;
  double double_ = 0;
};

}  // namespace ambry::io

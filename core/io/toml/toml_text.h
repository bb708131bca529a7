// A position in TOML text. Reads strings and skips what lies between values: blanks, comments and
// line ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ambry::io {

class TomlText {
 protected:
  TomlText(std::string_view text, uint64_t base_offset, std::string_view path)
      : text_(text), base_offset_(base_offset), path_(path) {}

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  [[nodiscard]] bool starts(std::string_view what) const {
    return text_.substr(position_).starts_with(what);
  }
  [[nodiscard]] Failure fail(size_t at, const Text& message) const {
    return error_at(ErrorCode::BadValue, base_offset_ + at, path_, message);
  }

  void skip_blanks();
  bool skip_newline();
  Result<void> skip_comment();
  Result<void> skip_lines();  // blanks, comments and line ends
  // Reads the string whose opening quote is at the position.
  Result<std::string> read_string();

  std::string_view text_;
  uint64_t base_offset_;
  std::string_view path_;
  size_t position_ = 0;

 private:
  Result<void> read_escape(std::string& out, bool many_lines);
  Result<void> read_code_point(size_t digits, std::string& out);
};

}  // namespace ambry::io

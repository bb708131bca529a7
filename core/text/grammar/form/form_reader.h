// A cursor over the text of a grammar or of a regular expression, which is UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ambry::text {

class FormReader {
 public:
  FormReader(std::string_view text, std::string_view path) : text_(text), path_(path) {}

  // LimitExceeded for a text of more than kMaxFormBytes, BadValue for one that is not UTF-8.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] size_t position() const { return position_; }
  [[nodiscard]] bool sees(std::string_view next) const {
    return text_.substr(position_).starts_with(next);
  }
  // 0 at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }
  // Skips the text if it comes next.
  bool take(std::string_view next) {
    if (!sees(next)) return false;
    position_ += next.size();
    return true;
  }
  // Not at the end.
  char32_t take_code_point();
  // Skips as many bytes of these as there are and returns them.
  template <class Is>
  std::string_view take_while(const Is& is) {
    const size_t begin = position_;
    while (!at_end() && is(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }
  // The number with exactly this many hexadecimal digits.
  [[nodiscard]] Result<char32_t> take_hex(size_t n_digits);
  // A decimal number. LimitExceeded above kMaxRepetitions.
  [[nodiscard]] Result<uint32_t> take_count();

  [[nodiscard]] Failure fail(ErrorCode code, size_t position, const Text& message) const;
  [[nodiscard]] Failure bad(const Text& message) const {
    return fail(ErrorCode::BadValue, position_, message);
  }

 private:
  std::string_view text_;
  std::string path_;
  size_t position_ = 0;
};

}  // namespace ambry::text

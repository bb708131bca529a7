#include "base/concat.h"

#include <array>
#include <charconv>

namespace ambry {

void Piece::append_to(std::string& out) const {
  if (!is_number()) {
    out.append(text());
    return;
  }
  std::array<char, 20> digits{};  // 2^64 has 20
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value_).ptr;
  out.append(digits.data(), end);
}

std::string concat(std::initializer_list<Piece> pieces) {
  std::string text;
  for (const Piece& piece : pieces) piece.append_to(text);
  return text;
}

std::string counted(uint64_t count, std::string_view noun) {
  return concat({count, " ", noun, count == 1 ? "" : "s"});
}

std::string Text::str() const {
  switch (form_) {
    case Form::Literal:
      return static_cast<const char*>(data_);
    case Form::String:
      return *static_cast<const std::string*>(data_);
    case Form::View:
      return std::string(*static_cast<const std::string_view*>(data_));
    case Form::Pieces:
      return concat(*static_cast<const std::initializer_list<Piece>*>(data_));
  }
  return {};
}

}  // namespace ambry

#include "base/concat.h"

#include <array>
#include <charconv>

namespace ambry {

void Piece::append_to(std::string& out) const {
  if (data_ != nullptr) {
    out.append(data_, static_cast<size_t>(value_));
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

}  // namespace ambry

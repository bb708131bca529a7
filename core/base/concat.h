// Text put together from pieces in one call: `concat({"starts at ", offset, ", inside ", name})`.
// Chains of `+` and std::to_string make a temporary string each, with its clean-up, wherever a
// message stands.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace ambry {

// A piece of text, borrowed, or a whole number. Made implicitly.
class Piece {
 public:
  Piece(std::string_view text)  // NOLINT(google-explicit-constructor)
      : data_(text.empty() ? "" : text.data()), value_(text.size()) {}
  Piece(const std::string& text)
      : Piece(std::string_view(text)) {}                      // NOLINT(google-explicit-constructor)
  Piece(const char* text) : Piece(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  Piece(T number) : value_(number) {}  // NOLINT(google-explicit-constructor)

  void append_to(std::string& out) const;

 private:
  const char* data_ = nullptr;  // nullptr: the value is the number, in decimal
  uint64_t value_ = 0;          // else it is the length
};

[[nodiscard]] std::string concat(std::initializer_list<Piece> pieces);

}  // namespace ambry

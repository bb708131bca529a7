// Builds text from pieces in one call: `concat({"starts at ", offset, ", inside ", name})`. Chains
// of `+` and std::to_string would create and destroy a temporary string for each piece, at every
// message.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace ambry {

// A borrowed piece of text, or an integer. Converts implicitly.
class Piece {
 public:
  Piece(std::string_view text)  // NOLINT(google-explicit-constructor)
      : data_(text.empty() ? "" : text.data()), value_(text.size()) {}
  Piece(const std::string& text)  // NOLINT(google-explicit-constructor)
      : Piece(std::string_view(text)) {}
  Piece(const char* text) : Piece(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  Piece(T number) : value_(number) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_number() const { return data_ == nullptr; }
  [[nodiscard]] uint64_t number() const { return value_; }  // of a number
  [[nodiscard]] std::string_view text() const {             // of a text
    return {data_, static_cast<size_t>(value_)};
  }
  void append_to(std::string& out) const;

 private:
  const char* data_ = nullptr;  // nullptr: the value is the number, in decimal
  uint64_t value_ = 0;          // else it is the length
};

[[nodiscard]] std::string concat(std::initializer_list<Piece> pieces);

// A count with its noun: `1 word`, `2 words`.
[[nodiscard]] std::string counted(uint64_t count, std::string_view noun);

// The texts that `text_of` takes from the elements, for a message: `llama, gemma, phi2`.
template <class List, class TextOf = std::identity>
[[nodiscard]] std::string comma_list(const List& list, TextOf text_of = {}) {
  std::string text;
  for (const auto& element : list) {
    if (!text.empty()) text += ", ";
    text += std::invoke(text_of, element);
  }
  return text;
}

// A parameter for text that is given whole or in pieces: `f("gone")`, `f({name, " is gone"})`. It
// borrows, and builds the text only when str() is called.
class Text {
 public:
  Text(const char* text) : data_(text) {}  // NOLINT(google-explicit-constructor)
  Text(const std::string& text)            // NOLINT(google-explicit-constructor)
      : data_(&text), form_(Form::String) {}
  Text(const std::string_view& text)  // NOLINT(google-explicit-constructor)
      : data_(&text), form_(Form::View) {}
  Text(const std::initializer_list<Piece>& pieces) : data_(&pieces), form_(Form::Pieces) {}

  [[nodiscard]] std::string str() const;

 private:
  // Two words and no length, because there are messages everywhere.
  enum class Form : uint8_t { Literal, String, View, Pieces };

  const void* data_;
  Form form_ = Form::Literal;
};

}  // namespace ambry

// GPT-2's alphabet: one printable character for each byte (core/text/README.md#byte-alphabet).
// Bytes 21–7E, A1–AC and AE–FF stand for themselves. The other 68 are U+0100 to U+0143 in ascending
// order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ambry::model {

class ByteAlphabet {
 public:
  [[nodiscard]] static const ByteAlphabet& instance();

  [[nodiscard]] char32_t code_point(uint8_t byte) const { return code_points_[byte]; }
  // The character for the byte, in UTF-8.
  [[nodiscard]] std::string_view spelling(uint8_t byte) const {
    return std::string_view(spellings_[byte].data(), spellings_[byte][1] == 0 ? 1 : 2);
  }
  [[nodiscard]] std::optional<uint8_t> byte_of(char32_t c) const;

  void append_spelled(std::string_view bytes, std::string& out) const;
  // Appends the bytes that a token stands for. A token with a character outside the alphabet stands
  // for its own UTF-8.
  void append_bytes(std::string_view token, std::string& out) const;

 private:
  static constexpr char32_t kLimit = 0x144;

  ByteAlphabet();

  std::array<char16_t, 256> code_points_{};
  std::array<std::array<char, 2>, 256> spellings_{};
  std::array<int16_t, kLimit> bytes_{};  // -1: none
};

}  // namespace ambry::model

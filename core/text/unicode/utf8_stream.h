// Decodes UTF-8 whose bytes arrive one after another. A character is passed on when it is complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry::text {

class Utf8Stream {
 public:
  // How many U+FFFD replace bytes that are not a character.
  enum class IllFormed : uint8_t {
    Subpart,  // one for each possible start of a character, as in TextDecoder
    Byte,     // one for each byte
  };

  explicit Utf8Stream(IllFormed ill_formed) : ill_formed_(ill_formed) {}

  // Appends the characters that are complete.
  void push(std::string_view bytes, std::string& out);
  // Appends the rest, which can only be ill-formed.
  void finish(std::string& out);

 private:
  IllFormed ill_formed_;
  std::string pending_;  // the start of a character, at most 3 bytes between calls
};

}  // namespace ambry::text

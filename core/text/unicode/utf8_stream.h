// UTF-8 whose bytes arrive one after another: characters go on when they are complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry::text {

class Utf8Stream {
 public:
  // How many U+FFFD stand for bytes that are no character.
  enum class IllFormed : uint8_t {
    Subpart,  // one for what could have begun a character, as TextDecoder has it
    Byte,     // one each
  };

  explicit Utf8Stream(IllFormed ill_formed) : ill_formed_(ill_formed) {}

  // Appends the characters that are certain by now.
  void push(std::string_view bytes, std::string& out);
  // Appends the rest, which can only be ill-formed.
  void finish(std::string& out);

 private:
  IllFormed ill_formed_;
  std::string pending_;  // the start of a character, at most 3 bytes between calls
};

}  // namespace ambry::text

#include "model/tokenizer/bpe/byte_alphabet.h"

#include <memory>

#include "base/lazy.h"
#include "base/utf8.h"

namespace ambry::model {
namespace {

bool stands_for_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
}

}  // namespace

const ByteAlphabet& ByteAlphabet::instance() {
  static constinit Lazy<ByteAlphabet> alphabet;
  return alphabet.get([] { return std::unique_ptr<ByteAlphabet>(new ByteAlphabet()); });
}

ByteAlphabet::ByteAlphabet() {
  bytes_.fill(-1);
  char16_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char16_t c = stands_for_itself(byte) ? static_cast<char16_t>(byte) : next++;
    code_points_[byte] = c;
    bytes_[c] = static_cast<int16_t>(byte);
    std::string spelled;
    append_utf8(spelled, c);
    spelled.copy(spellings_[byte].data(), spelled.size());
  }
}

std::optional<uint8_t> ByteAlphabet::byte_of(char32_t c) const {
  if (c >= kLimit || bytes_[c] < 0) return std::nullopt;
  return static_cast<uint8_t>(bytes_[c]);
}

void ByteAlphabet::append_spelled(std::string_view bytes, std::string& out) const {
  for (const char byte : bytes) out += spelling(static_cast<uint8_t>(byte));
}

void ByteAlphabet::append_bytes(std::string_view token, std::string& out) const {
  const size_t before = out.size();
  for (size_t i = 0; i < token.size();) {
    const DecodedCodePoint c = decode_utf8(token, i);
    const auto byte = byte_of(c.code_point);
    if (!byte) {
      out.resize(before);
      out += token;
      return;
    }
    out += static_cast<char>(*byte);
    i += c.n_bytes;
  }
}

}  // namespace ambry::model

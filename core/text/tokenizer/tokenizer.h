// What every tokenizer can do, whatever its kind. An encoder runs WordPiece by its own name, so
// that its module holds no other kind; whoever runs more goes through this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/tokenizer/encoding.h"

namespace ambry::text {

// Text from ids that come one after another. The concatenation of all that it appends is the text
// of all ids.
class TokenDecoder {
 public:
  TokenDecoder() = default;
  TokenDecoder(const TokenDecoder&) = delete;
  TokenDecoder& operator=(const TokenDecoder&) = delete;
  virtual ~TokenDecoder();

  // Appends what is certain by now: bytes of a character that is not complete are held back. Ids
  // that no token has add nothing.
  virtual void push(uint32_t id, std::string& out) = 0;
  // Appends what was held back; the decoder is then as new.
  virtual void finish(std::string& out) = 0;
};

class Tokenizer {
 public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  virtual ~Tokenizer();

  // The text is UTF-8; ill-formed bytes count as U+FFFD. A token's span covers the characters of
  // the text that its bytes come from.
  [[nodiscard]] virtual Encoding encode(std::string_view text,
                                        const EncodeOptions& options) const = 0;
  // Unsupported where the kind puts nothing between two texts.
  [[nodiscard]] virtual Result<Encoding> encode_pair(std::string_view first,
                                                     std::string_view second,
                                                     const EncodeOptions& options) const;

  // Borrows from the tokenizer.
  [[nodiscard]] virtual std::unique_ptr<TokenDecoder> decoder(bool skip_special) const = 0;
  // Valid UTF-8 always.
  [[nodiscard]] std::string decode(std::span<const uint32_t> ids, bool skip_special) const;

  // One more than the largest id.
  [[nodiscard]] virtual size_t size() const = 0;
  // The token as the vocabulary spells it; empty for an id that no token has.
  [[nodiscard]] virtual std::string_view token(uint32_t id) const = 0;
  [[nodiscard]] virtual std::optional<uint32_t> id(std::string_view token) const = 0;
  [[nodiscard]] virtual bool is_special(uint32_t id) const = 0;
  // What a text starts with, whether or not encode() adds it.
  [[nodiscard]] virtual std::optional<uint32_t> bos() const = 0;
  // All ids that end a text.
  [[nodiscard]] virtual std::span<const uint32_t> end_ids() const = 0;
};

}  // namespace ambry::text

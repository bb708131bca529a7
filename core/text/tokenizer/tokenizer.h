// The interface of every tokenizer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/unicode/encoding.h"

namespace ambry::text {

// Makes text from ids that come one after another. The concatenated output is the text of all ids.
class TokenDecoder {
 public:
  TokenDecoder() = default;
  TokenDecoder(const TokenDecoder&) = delete;
  TokenDecoder& operator=(const TokenDecoder&) = delete;
  virtual ~TokenDecoder();

  // Appends the text that is certain now. The bytes of an incomplete character wait. Unknown ids
  // add nothing.
  virtual void push(uint32_t id, std::string& out) = 0;
  // Appends the rest and resets the decoder.
  virtual void finish(std::string& out) = 0;
};

class Tokenizer {
 public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  virtual ~Tokenizer();

  // The text is UTF-8; each ill-formed sequence counts as U+FFFD. A token's span covers the
  // characters of the text that its bytes come from.
  [[nodiscard]] virtual Encoding encode(std::string_view text,
                                        const EncodeOptions& options) const = 0;
  // Unsupported when the tokenizer has no template for pairs.
  [[nodiscard]] virtual Result<Encoding> encode_pair(std::string_view first,
                                                     std::string_view second,
                                                     const EncodeOptions& options) const = 0;

  // Unsupported, with the name, where the tokenizer's file states another way to make text of ids
  // than there is here. decoder() and text_bytes() are then of no use.
  [[nodiscard]] virtual Result<void> can_decode() const;
  // The decoder borrows from the tokenizer.
  [[nodiscard]] virtual std::unique_ptr<TokenDecoder> decoder(bool skip_special) const = 0;
  // The result is always valid UTF-8.
  [[nodiscard]] std::string decode(std::span<const uint32_t> ids, bool skip_special) const;

  // One more than the largest id.
  [[nodiscard]] virtual size_t size() const = 0;
  // The token as the vocabulary spells it, or an empty text when there is no such token.
  [[nodiscard]] virtual std::string_view token(uint32_t id) const = 0;
  [[nodiscard]] virtual std::optional<uint32_t> id(std::string_view token) const = 0;
  [[nodiscard]] virtual bool is_special(uint32_t id) const = 0;
  // The bytes that the token adds within a text, which may be part of a character. Nothing for
  // tokens that are no text (special, control and unknown ones, gaps), and for all tokens of
  // WordPiece, whose text depends on their neighbours.
  [[nodiscard]] virtual std::optional<std::string> text_bytes(uint32_t id) const = 0;
  // The token that starts a text, whether or not encode() adds it.
  [[nodiscard]] virtual std::optional<uint32_t> bos() const = 0;
  // All ids that end a text.
  [[nodiscard]] virtual std::span<const uint32_t> end_ids() const = 0;
};

}  // namespace ambry::text

// How a tokenizer.json with a Unigram model makes text of tokens: the component `decoder`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "io/json/json.h"
#include "text/sentencepiece/sentencepiece_decoder.h"
#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

class JsonDecoding {
 public:
  JsonDecoding() = default;
  // Reads Metaspace, and Llama's Sequence of Replace, ByteFallback, Fuse and Strip.
  explicit JsonDecoding(const io::Json& root);

  // The error for any other decoder. Nothing for the two above.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  // Borrows its arguments and this.
  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(const Tokenizer& tokenizer,
                                                      const AddedTokens& added,
                                                      bool skip_special) const;
  // The bytes that a token adds within a text.
  [[nodiscard]] std::string bytes_of(std::string_view token) const;

 private:
  std::optional<Error> refusal_;
  bool joins_bytes_ = false;  // pieces such as <0x0A> are bytes
  SentencePieceDecoding settings_;
};

}  // namespace ambry::text

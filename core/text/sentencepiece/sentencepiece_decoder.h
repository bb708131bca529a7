// Makes text from SentencePiece ids, one after another
// (core/text/README.md#sentencepiece-decoding): marks become spaces, the space that encoding added
// in front is dropped, and byte pieces are combined into characters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "text/sentencepiece/sentencepiece_vocabulary.h"
#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

struct SentencePieceDecoding {
  std::string space;        // the spelling of a space in pieces
  std::string unk_surface;  // the text of the unknown piece, by SentencePiece's rules
  bool drop_first_space = true;
  // Drops all spaces at the start of the text, by SentencePiece's rules.
  bool drop_all_spaces = false;
};

// The bytes of a token in the middle of a text. `token` is a piece of text or of a byte, or an
// added token.
[[nodiscard]] std::string piece_bytes(std::string_view token, std::string_view space);

// SentencePiece's own rules. Control pieces are shown unless `skip_special` is set. Each byte piece
// that is not part of a character becomes U+FFFD. Borrows its arguments.
[[nodiscard]] std::unique_ptr<TokenDecoder> sentencepiece_decoder(
    const SentencePieceVocabulary& vocabulary, const SentencePieceDecoding& decoding,
    bool skip_special);

// Hugging Face's rules, for models whose special tokens are added tokens. When a run of byte pieces
// is not valid UTF-8 as a whole, each byte becomes U+FFFD; so a run waits until its end. Borrows
// its arguments.
[[nodiscard]] std::unique_ptr<TokenDecoder> sentencepiece_decoder(
    const Tokenizer& tokenizer, const SentencePieceDecoding& decoding, const AddedTokens& added,
    bool skip_special);

}  // namespace ambry::text

// Text from SentencePiece's ids, one after another (core/text/README.md#sentencepiece-decoding):
// spaces unmarked, the space that encoding put in front dropped, byte pieces put together to
// characters.
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
  std::string space;        // as the pieces spell it
  std::string unk_surface;  // what the unknown piece becomes, with SentencePiece's rules
  bool drop_first_space = true;
  bool drop_all_spaces = false;  // that the text starts with, with SentencePiece's rules
};

// SentencePiece's own rules. Control pieces are shown as they are spelled unless `skip_special`.
// Byte pieces that are no character become U+FFFD each. Borrows what it is given.
[[nodiscard]] std::unique_ptr<TokenDecoder> sentencepiece_decoder(
    const SentencePieceVocabulary& vocabulary, const SentencePieceDecoding& decoding,
    bool skip_special);

// Hugging Face's rules, for models whose special tokens are added tokens. In a run of byte pieces
// that is not valid UTF-8 as a whole every byte becomes U+FFFD, so that a run is held back to its
// end. Borrows what it is given.
[[nodiscard]] std::unique_ptr<TokenDecoder> sentencepiece_decoder(
    const SentencePieceVocabulary& vocabulary, const SentencePieceDecoding& decoding,
    const AddedTokens& added, bool skip_special);

}  // namespace ambry::text

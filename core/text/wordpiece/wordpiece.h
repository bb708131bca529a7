// BERT's WordPiece tokenizer, equal id for id and offset for offset to Hugging Face's fast one:
// added tokens are cut out of the raw text, the rest is normalised (BertNormalizer), split into
// words (BertPreTokenizer) and each word is covered from the left by the longest pieces of the
// vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/encoding.h"
#include "text/wordpiece/wordpiece_job.h"

namespace ambry::text {

struct SpecialIds {
  uint32_t unk = 0;
  uint32_t cls = 0;
  uint32_t sep = 0;
  std::optional<uint32_t> pad;
  std::optional<uint32_t> mask;
};

class WordPiece {
 public:
  // Ids that `data` leaves open are looked up by their usual names; without [UNK], [CLS] or [SEP]
  // there is no tokenizer (NotFound). When `data` lists no added tokens, the specials are them.
  [[nodiscard]] static Result<WordPiece> create(model::TokenizerData data);

  // Texts are UTF-8; ill-formed bytes count as U+FFFD. Never fails: what the vocabulary lacks is
  // [UNK].
  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  [[nodiscard]] Encoding encode_pair(std::string_view first, std::string_view second,
                                     const EncodeOptions& options = {}) const;

  // Text from ids, with the spaces before punctuation and contractions removed as Hugging Face's
  // decoder does. Ids out of range are left out.
  [[nodiscard]] std::string decode(std::span<const uint32_t> ids, bool skip_special) const;

  // One more than the largest id.
  [[nodiscard]] size_t size() const;
  // The token's text; empty for an id that no token has.
  [[nodiscard]] std::string_view token(uint32_t id) const;
  [[nodiscard]] std::optional<uint32_t> id(std::string_view token) const;
  [[nodiscard]] const SpecialIds& special() const { return special_; }
  [[nodiscard]] bool is_special(uint32_t id) const;
  [[nodiscard]] std::string_view continuing_prefix() const {
    return parts_.pieces.continuing_prefix();
  }

 private:
  WordPiece(WordPieceParts parts, SpecialIds special)
      : parts_(std::move(parts)), special_(special) {}

  WordPieceParts parts_;
  SpecialIds special_;
};

}  // namespace ambry::text

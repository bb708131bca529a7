// BERT's WordPiece tokenizer. It gives the same ids and offsets as Hugging Face's fast tokenizer.
// Added tokens are cut out of the raw text; the rest is normalized (BertNormalizer) and split into
// words (BertPreTokenizer). Each word is then covered from the left by the longest pieces of the
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
#include "text/unicode/encoding.h"
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
  // Ids that `data` does not set are looked up by their usual names. NotFound when [UNK], [CLS] or
  // [SEP] is missing; the last two only if `data` has no post-processor. When `data` lists no added
  // tokens, the special tokens become added tokens.
  [[nodiscard]] static Result<WordPiece> create(model::TokenizerData data);

  // Texts are UTF-8; each ill-formed sequence counts as U+FFFD. Encoding never fails: an unknown
  // word becomes [UNK].
  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  [[nodiscard]] Encoding encode_pair(std::string_view first, std::string_view second,
                                     const EncodeOptions& options = {}) const;

  // The text of some ids. Removes the spaces before punctuation and contractions as Hugging Face's
  // decoder does. Skips ids that are out of range.
  [[nodiscard]] std::string decode(std::span<const uint32_t> ids, bool skip_special) const;

  // One more than the largest id.
  [[nodiscard]] size_t size() const;
  // The token's text, or an empty text when there is no such token.
  [[nodiscard]] std::string_view token(uint32_t id) const;
  [[nodiscard]] std::optional<uint32_t> id(std::string_view token) const;
  [[nodiscard]] const SpecialIds& special() const { return special_; }
  [[nodiscard]] bool is_special(uint32_t id) const;
  [[nodiscard]] std::string_view continuing_prefix() const {
    return parts_.pieces.continuing_prefix();
  }

 private:
  WordPiece(WordPieceParts parts, SpecialIds special, model::PostProcessor post)
      : parts_(std::move(parts)), special_(special), post_(std::move(post)) {}

  WordPieceParts parts_;
  SpecialIds special_;
  model::PostProcessor post_;  // has a template for pairs
};

}  // namespace ambry::text

// BERT's WordPiece tokenizer, equal id for id and offset for offset to Hugging Face's fast one:
// added tokens are cut out of the raw text, the rest is normalised (BertNormalizer), split into words
// (BertPreTokenizer) and each word is covered from the left by the longest pieces of the vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tokenizer_data.h"
#include "text/added_tokens.h"
#include "text/bert_normalizer.h"
#include "text/piece_table.h"
#include "text/text_span.h"

namespace ambry::text {

// The tokens of one text or pair, column by column: `ids` and `type_ids` are what an encoder takes.
struct Encoding {
  std::vector<uint32_t> ids;
  std::vector<uint32_t> type_ids;  // 0, or 1 for the second text of a pair and its [SEP]
  std::vector<TextSpan> spans;     // in the token's own text; zero for the [CLS] and [SEP] put around
  size_t full_length = 0;          // how many ids there would be without truncation

  [[nodiscard]] bool truncated() const { return ids.size() < full_length; }
};

struct EncodeOptions {
  bool add_special = true;  // [CLS] text [SEP], or [CLS] first [SEP] second [SEP]
  // Ids in all, specials included; the ends of the texts are cut, of the longer one first. At least
  // as many as the specials that are added (2, or 3 for a pair).
  std::optional<uint32_t> max_length;
};

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

  // Texts are UTF-8; ill-formed bytes count as U+FFFD. Never fails: what the vocabulary lacks is [UNK].
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

 private:
  WordPiece(PieceTable pieces, AddedTokens added, NormalizerOptions normalizer, SpecialIds special,
            uint32_t max_word_chars);
  void encode_text(std::string_view text, Encoding& out) const;

  PieceTable pieces_;
  AddedTokens added_;
  NormalizerOptions normalizer_;
  SpecialIds special_;
  uint32_t max_word_chars_;
};

}  // namespace ambry::text

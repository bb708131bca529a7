// The base of tokenizers that cut added tokens out of the text and encode each segment between them
// on its own. Tokens of raw text are cut out first, then those of normalized text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/piece_table.h"
#include "text/tokenizer/special_tokens.h"
#include "text/tokenizer/tokenizer.h"
#include "text/unicode/aligned_text.h"

namespace ambry::text {

// A token and the bytes that it covers in its segment.
struct SegmentToken {
  uint32_t id = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  bool ends_word = false;  // the last token of a word, where the kind knows words
};

class SegmentTokenizer : public Tokenizer {
 public:
  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options) const final;
  [[nodiscard]] Result<Encoding> encode_pair(std::string_view first, std::string_view second,
                                             const EncodeOptions& options) const final;
  [[nodiscard]] size_t size() const final;
  [[nodiscard]] std::string_view token(uint32_t id) const final;
  [[nodiscard]] std::optional<uint32_t> id(std::string_view token) const final;
  [[nodiscard]] bool is_special(uint32_t id) const final;
  [[nodiscard]] std::optional<uint32_t> bos() const final { return special_tokens_.bos; }
  [[nodiscard]] std::span<const uint32_t> end_ids() const final { return special_tokens_.ends; }

 protected:
  SegmentTokenizer(AddedTokens added, SpecialTokens special_tokens)
      : added_(std::move(added)), special_tokens_(std::move(special_tokens)) {}

  // Gives added tokens the ids that they have in the vocabulary. BadValue for an id that is too
  // large.
  [[nodiscard]] static Result<void> resolve_ids(std::vector<model::AddedToken>& added,
                                                const PieceTable& pieces);

  // Returns nothing when the text stays unchanged.
  [[nodiscard]] virtual std::optional<AlignedText> normalize(std::string_view text) const = 0;
  // Appends the tokens of a segment, which is not empty. `first`: the segment starts the whole
  // text.
  virtual void encode_segment(std::string_view text, bool first,
                              std::vector<SegmentToken>& out) const = 0;
  [[nodiscard]] const AddedTokens& added() const { return added_; }
  // The tokens by id.
  [[nodiscard]] virtual const PieceTable& pieces() const = 0;

 private:
  class Job;

  // A text's tokens without special tokens and truncation.
  struct Content {
    Encoding encoding;
    // The number of tokens at the end of the first word that reaches `enough` tokens, or of all
    // tokens if none does.
    size_t length_read = 0;
  };
  [[nodiscard]] Content content_of(std::string_view text, size_t enough = SIZE_MAX) const;

  AddedTokens added_;
  SpecialTokens special_tokens_;
};

}  // namespace ambry::text

// BERT's WordPiece tokenizer. It gives the same ids and offsets as Hugging Face's fast tokenizer.
// Added tokens are cut out of the raw text; the rest is normalized (BertNormalizer) and split into
// words (BertPreTokenizer). Each word is then covered from the left by the longest pieces of the
// vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/tokenizer.h"
#include "text/wordpiece/wordpiece_job.h"

namespace ambry::text {

class WordPiece final : public Tokenizer {
 public:
  // Ids that `data` does not set are looked up by their usual names. NotFound when [UNK], [CLS] or
  // [SEP] is missing; the last two only if `data` has no post-processor. When `data` lists no added
  // tokens, the special tokens become added tokens.
  [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(model::TokenizerData data);

  // An unknown word becomes [UNK].
  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options) const override;
  [[nodiscard]] Result<Encoding> encode_pair(std::string_view first, std::string_view second,
                                             const EncodeOptions& options) const override;
  // Removes the spaces before punctuation and contractions as Hugging Face's decoder does.
  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override;

  [[nodiscard]] size_t size() const override;
  [[nodiscard]] std::string_view token(uint32_t id) const override;
  [[nodiscard]] std::optional<uint32_t> id(std::string_view token) const override;
  [[nodiscard]] bool is_special(uint32_t id) const override;
  [[nodiscard]] std::optional<std::string> text_bytes(uint32_t /*id*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::optional<uint32_t> bos() const override { return cls_; }
  [[nodiscard]] std::span<const uint32_t> end_ids() const override { return ends_; }

 private:
  WordPiece(WordPieceParts parts, uint32_t cls, std::vector<uint32_t> ends,
            model::PostProcessor post)
      : parts_(std::move(parts)), cls_(cls), ends_(std::move(ends)), post_(std::move(post)) {}

  WordPieceParts parts_;
  uint32_t cls_;
  std::vector<uint32_t> ends_;  // of answers
  model::PostProcessor post_;   // has a template for pairs
};

}  // namespace ambry::text

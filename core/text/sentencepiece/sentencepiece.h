// SentencePiece's BPE and Unigram. They give the same ids as Google's library. With added tokens,
// or if `legacy` is stated, they follow Hugging Face's tokenizers of Llama and similar models
// instead: added tokens are cut out of the raw text, and each segment between them is a text of its
// own.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/sentencepiece/sentencepiece_bpe.h"
#include "text/sentencepiece/sentencepiece_job.h"
#include "text/sentencepiece/unigram.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

class SentencePiece final : public Tokenizer {
 public:
  // For the kinds SentencePieceBpe and SentencePieceUnigram. The settings come from the payload if
  // it is a ModelProto, else from `data`. Pieces that spell spaces as spaces are recognized. Added
  // tokens count as not normalized unless the data has `marks_before_added`. Errors of the model
  // file, the vocabulary and the charsmap; Unsupported for a model that changes decoded texts.
  [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(model::TokenizerData data);

  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options) const override;
  [[nodiscard]] Result<Encoding> encode_pair(std::string_view first, std::string_view second,
                                             const EncodeOptions& options) const override;
  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override;
  [[nodiscard]] size_t size() const override;
  [[nodiscard]] std::string_view token(uint32_t id) const override;
  [[nodiscard]] std::optional<uint32_t> id(std::string_view token) const override;
  // Control pieces and special added tokens.
  [[nodiscard]] bool is_special(uint32_t id) const override;
  [[nodiscard]] std::optional<std::string> text_bytes(uint32_t id) const override;
  [[nodiscard]] std::optional<uint32_t> bos() const override { return parts_.special_tokens.bos; }
  [[nodiscard]] std::span<const uint32_t> end_ids() const override {
    return parts_.special_tokens.ends;
  }

 private:
  SentencePiece(SentencePieceParts parts, model::TokenizerKind kind,
                std::optional<model::MergeTable> merges);

  // Without special tokens and truncation.
  [[nodiscard]] Encoding content_of(std::string_view text) const;

  SentencePieceParts parts_;
  std::optional<SentencePieceBpe> bpe_;  // one of the two is set
  std::optional<Unigram<float>> unigram_;
};

}  // namespace ambry::text

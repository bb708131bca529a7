// The special tokens that a decoder's tokenizer adds to a text, and those that end a text.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/post_processing.h"
#include "text/unicode/encoding.h"

namespace ambry::text {

struct SpecialTokens {
  model::PostProcessor post;  // what is added around texts
  std::optional<uint32_t> bos;
  std::vector<uint32_t> ends;  // of answers

  // A post-processor decides. Without it the settings do. By default, only SentencePiece BPE starts
  // a text with BOS (core/text/README.md#sentencepiece-bpe). NotFound when a token to add has no
  // id.
  [[nodiscard]] static Result<SpecialTokens> of(const model::TokenizerData& data);

  // Cuts the ends of the texts to make room for the special tokens, then adds them. A pair is cut
  // by the lengths `read`. Unsupported for a pair when there is no template for it.
  [[nodiscard]] Encoding add_to(const Encoding& content, const EncodeOptions& options) const;
  [[nodiscard]] Result<Encoding> add_to_pair(const Encoding& first, const Encoding& second,
                                             const TextLengths& read,
                                             const EncodeOptions& options) const;
};

}  // namespace ambry::text

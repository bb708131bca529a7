// The special tokens that a decoder's tokenizer adds to a text, and those that end a text.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/encoding.h"

namespace ambry::text {

struct SpecialTokens {
  std::vector<uint32_t> before;
  std::vector<uint32_t> after;
  std::optional<uint32_t> bos;
  std::vector<uint32_t> ends;

  // Follows the settings. By default, only SentencePiece BPE starts a text with BOS
  // (core/text/README.md#sentencepiece-bpe). NotFound when a token to add has no id.
  [[nodiscard]] static Result<SpecialTokens> of(const model::TokenizerData& data);

  // Cuts the end of `content` to make room for the special tokens, then adds them.
  [[nodiscard]] Encoding add_to(Encoding content, const EncodeOptions& options) const;
};

}  // namespace ambry::text

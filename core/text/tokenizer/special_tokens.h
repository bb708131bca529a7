// The special tokens that a decoder's tokenizer puts around a text, and those that end one.
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
  std::vector<uint32_t> behind;
  std::optional<uint32_t> bos;
  std::vector<uint32_t> ends;

  // As the settings say; where they say nothing, only SentencePiece BPE starts a text with BOS
  // (core/text/README.md#sentencepiece-bpe). NotFound for an added token without an id.
  [[nodiscard]] static Result<SpecialTokens> of(const model::TokenizerData& data);

  // Cuts the end of `content` to the room that `options` leave and puts the specials around it.
  [[nodiscard]] Encoding add_to(Encoding content, const EncodeOptions& options) const;
};

}  // namespace ambry::text

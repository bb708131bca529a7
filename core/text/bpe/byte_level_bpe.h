// Byte-level BPE as GPT-2 has it and those after it (core/text/README.md#byte-level-bpe), equal to
// Hugging Face's id for id: words by a known expression, their bytes in a printable alphabet, pairs
// merged by rank.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/bpe/bpe_model.h"
#include "text/bpe/word_cache.h"
#include "text/bpe/word_cutters.h"
#include "text/tokenizer/segment_tokenizer.h"

namespace ambry::text {

class ByteLevelBpe final : public SegmentTokenizer {
 public:
  // For the kind Bpe. Unsupported for a way of cutting words that is not known, BadValue for merges
  // that the vocabulary does not fit.
  [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(model::TokenizerData data);

  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override;

 protected:
  [[nodiscard]] std::optional<AlignedText> normalize(std::string_view text) const override;
  void encode_segment(std::string_view text, bool first,
                      std::vector<SegmentToken>& out) const override;
  [[nodiscard]] const PieceTable& pieces() const override { return model_.pieces(); }

 private:
  struct Settings {
    std::vector<WordCutter> cutters;  // each cuts what the one before has left together
    bool nfc = false;
    bool add_prefix_space = false;
  };

  ByteLevelBpe(BpeModel model, Settings settings, AddedTokens added, SpecialTokens special_tokens);

  static Result<Settings> settings_of(const model::TokenizerData& data);
  void encode_words(std::string_view text, size_t begin, size_t end, size_t cutter,
                    std::vector<SegmentToken>& out) const;
  void encode_word(std::string_view word, uint32_t begin, std::vector<SegmentToken>& out) const;

  BpeModel model_;
  Settings settings_;
  // A tokenizer is used by one thread.
  mutable WordCache<BpePart> cache_;
  mutable BpeWord scratch_;
  mutable std::vector<BpePart> parts_;
};

}  // namespace ambry::text

// Byte-level BPE of GPT-2 and later models (core/text/README.md#byte-level-bpe). It gives the same
// ids as Hugging Face's library. A known expression splits the text into words, their bytes are
// spelled in a printable alphabet, and pairs are merged by rank.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/threads/spin_lock.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/bpe/bpe_model.h"
#include "text/bpe/word_cache.h"
#include "text/bpe/word_splitters.h"
#include "text/tokenizer/segment_tokenizer.h"

namespace ambry::text {

class ByteLevelBpe final : public SegmentTokenizer {
 public:
  // For the kind Bpe. Unsupported for an unknown pre-tokenizer. BadValue when the merges do not fit
  // the vocabulary.
  [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(model::TokenizerData data);

  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override;
  [[nodiscard]] std::optional<std::string> text_bytes(uint32_t id) const override;

 protected:
  [[nodiscard]] std::optional<AlignedText> normalize(std::string_view text) const override;
  void encode_segment(std::string_view text, bool first,
                      std::vector<SegmentToken>& out) const override;
  [[nodiscard]] const PieceTable& pieces() const override { return model_.pieces(); }

 private:
  struct Settings {
    std::vector<WordSplitter> splitters;  // each splits the words of the one before
    std::vector<model::TextChange> normalizer;
    bool add_prefix_space = false;
  };

  ByteLevelBpe(BpeModel model, Settings settings, AddedTokens added, SpecialTokens special_tokens);

  // Buffers that words share. Without a cache, every word is merged.
  struct Scratch {
    model::BpeWord word;
    std::vector<model::BpePart> parts;
    WordCache<model::BpePart>* cache = nullptr;
  };

  static Result<Settings> settings_of(const model::TokenizerData& data);
  void encode_spaced(std::string_view text, Scratch& scratch, std::vector<SegmentToken>& out) const;
  void encode_words(std::string_view text, size_t begin, size_t end, size_t splitter,
                    Scratch& scratch, std::vector<SegmentToken>& out) const;
  void encode_word(std::string_view word, uint32_t begin, Scratch& scratch,
                   std::vector<SegmentToken>& out) const;

  BpeModel model_;
  Settings settings_;
  // For one thread at a time. Another thread that encodes meanwhile does without them.
  mutable SpinLock lock_;
  mutable WordCache<model::BpePart> cache_;
  mutable Scratch scratch_;
};

}  // namespace ambry::text

// Runs a tokenizer.json with a Unigram model (T5, XLM-R and similar). It gives the same ids as
// Hugging Face's library: sums in double, the charsmap applied to grapheme clusters, words by
// Metaspace.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/files/unigram_file.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/sentencepiece/piece_trie.h"
#include "text/sentencepiece/unigram.h"
#include "text/tokenizer/piece_table.h"
#include "text/tokenizer/segment_tokenizer.h"
#include "text/tokenizer_json/json_decoding.h"
#include "text/tokenizer_json/unigram_steps.h"

namespace ambry::text {

class UnigramJson final : public SegmentTokenizer {
 public:
  // For the kind Unigram, and for the kind Custom with a tokenizer.json as its payload.
  // Unsupported, with the name, for another model or an unknown step. BadValue for an invalid
  // vocabulary. NotFound when it has neither an unknown piece nor a piece for every byte.
  [[nodiscard]] static Result<std::unique_ptr<Tokenizer>> create(model::TokenizerData data);

  [[nodiscard]] Result<void> can_decode() const override;
  [[nodiscard]] std::unique_ptr<TokenDecoder> decoder(bool skip_special) const override;
  [[nodiscard]] std::optional<std::string> text_bytes(uint32_t id) const override;

 protected:
  [[nodiscard]] std::optional<AlignedText> normalize(std::string_view text) const override {
    return steps_.normalizer.apply(text);
  }
  void encode_segment(std::string_view text, bool first,
                      std::vector<SegmentToken>& out) const override;
  [[nodiscard]] const PieceTable& pieces() const override { return pieces_; }

 private:
  struct Vocabulary {
    model::Vocabulary pieces;
    std::vector<double> scores;
    std::optional<uint32_t> unk;
    std::optional<std::array<uint32_t, 256>> bytes;
    PieceTrie trie;
  };

  struct Steps {
    NormalizerSteps normalizer;
    WordRules words;
    JsonDecoding decoding;
  };

  UnigramJson(Vocabulary vocabulary, Steps steps, AddedTokens added, SpecialTokens special_tokens);

  [[nodiscard]] static Result<Steps> read_steps(const model::UnigramFile& file);
  [[nodiscard]] static Result<Vocabulary> read_vocabulary(model::UnigramFile& file);
  void encode_word(const AlignedText& word, std::vector<SegmentToken>& out) const;
  void push_unknown(const AlignedText& word, size_t begin, size_t end,
                    std::vector<SegmentToken>& out) const;

  PieceTable pieces_;
  PieceTrie trie_;
  Unigram<double> unigram_;
  std::optional<uint32_t> unk_;
  std::optional<std::array<uint32_t, 256>> bytes_;  // set when unknown characters become bytes
  Steps steps_;
};

}  // namespace ambry::text

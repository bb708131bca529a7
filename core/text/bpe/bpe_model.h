// Byte pair encoding of one word, as in Hugging Face's BPE. It starts with the word's characters
// and merges the pair of lowest rank until no known pair is left (core/text/README.md#bpe-merges).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/bpe/bpe_word.h"
#include "model/tokenizer/bpe/merge_table.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/piece_table.h"

namespace ambry::text {

struct BpeOptions {
  bool ignore_merges = false;  // whether a word that is a token skips the merges
  // An unknown character becomes <0xHH> for each of its bytes, else `unk`, else nothing.
  bool byte_fallback = false;
  std::optional<uint32_t> unk;
  bool fuse_unk = false;          // whether a run of unknown characters becomes one `unk`
  std::string continuing_prefix;  // before every character but the first
  std::string end_of_word;        // after the last character
};

// The pairs of `merges`, which are parts by rank. BadValue when a merge's parts or result are not
// tokens. Of a repeated pair, the later rank is used.
[[nodiscard]] Result<model::MergeTable> read_merges(const model::Vocabulary& merges,
                                                    const PieceTable& pieces,
                                                    std::string_view continuing_prefix);

class BpeModel {
 public:
  // Takes the vocabulary, ids and merges out of `data`. BadValue when a merge's parts or result are
  // not tokens, or when the ids have too many gaps. Of a repeated pair, the later rank is used.
  [[nodiscard]] static Result<BpeModel> create(model::TokenizerData& data, BpeOptions options);

  // Appends the tokens of a word in the vocabulary's spelling. `scratch` is a buffer of the caller.
  void encode(std::string_view word, model::BpeWord& scratch,
              std::vector<model::BpePart>& out) const;
  // Appends the tokens of a word in bytes, which the vocabulary spells in GPT-2's alphabet.
  void encode_bytes(std::string_view word, model::BpeWord& scratch,
                    std::vector<model::BpePart>& out) const;

  // The tokens by id.
  [[nodiscard]] const PieceTable& pieces() const { return pieces_; }

 private:
  class Spelling;

  BpeModel(PieceTable pieces, model::MergeTable merges, BpeOptions options);

  PieceTable pieces_;
  model::MergeTable merges_;
  BpeOptions options_;
  std::array<std::optional<uint32_t>, 256> bytes_;     // tokens of GPT-2's alphabet
  std::array<std::optional<uint32_t>, 256> fallback_;  // tokens <0xHH>
};

}  // namespace ambry::text

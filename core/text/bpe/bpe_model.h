// Byte pair encoding of one word: its characters, and then again and again the pair that was learnt
// first, until no pair is known (core/text/README.md#bpe-merges), as Hugging Face's BPE has it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/bpe/bpe_word.h"
#include "text/bpe/merge_table.h"
#include "text/tokenizer/piece_table.h"

namespace ambry::text {

struct BpeOptions {
  bool ignore_merges = false;  // a word that is a token is that token
  // What the vocabulary lacks becomes <0xHH> for each byte of it, else `unk`, else nothing.
  bool byte_fallback = false;
  std::optional<uint32_t> unk;
  bool fuse_unk = false;          // one for a run of them
  std::string continuing_prefix;  // of every character but the first
  std::string end_of_word;        // behind the last character
};

class BpeModel {
 public:
  // Takes vocabulary, ids and merges. BadValue for a merge whose parts or whole are no tokens and
  // for ids that leave too many gaps; of a pair that occurs twice the later rank counts.
  [[nodiscard]] static Result<BpeModel> create(model::TokenizerData& data, BpeOptions options);

  // Appends the tokens of a word as the vocabulary spells it. `scratch` is the caller's.
  void encode(std::string_view word, BpeWord& scratch, std::vector<BpePart>& out) const;
  // Of a word in bytes, which the vocabulary spells in GPT-2's alphabet.
  void encode_bytes(std::string_view word, BpeWord& scratch, std::vector<BpePart>& out) const;

  // By id.
  [[nodiscard]] const PieceTable& pieces() const { return pieces_; }

 private:
  class Spelling;

  BpeModel(PieceTable pieces, MergeTable merges, BpeOptions options);

  PieceTable pieces_;
  MergeTable merges_;
  BpeOptions options_;
  std::array<std::optional<uint32_t>, 256> bytes_;     // of GPT-2's alphabet
  std::array<std::optional<uint32_t>, 256> fallback_;  // <0xHH>
};

}  // namespace ambry::text

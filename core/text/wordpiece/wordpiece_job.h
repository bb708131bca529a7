// Tokenizes one text: cuts out added tokens, normalizes, splits into words and matches pieces.
// Keeps its buffers between words, so that it need not allocate for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/piece_table.h"
#include "text/unicode/encoding.h"
#include "text/wordpiece/bert_normalizer.h"

namespace ambry::text {

// The parts of a tokenizer, without the special tokens around a text.
struct WordPieceParts {
  PieceTable pieces;
  AddedTokens added;
  NormalizerOptions normalizer;
  uint32_t unk = 0;
  uint32_t max_word_chars = 100;
};

class WordPieceJob {
 public:
  // `parts` and `out` must outlive the job. `enough` affects only length_read().
  WordPieceJob(const WordPieceParts& parts, Encoding& out, size_t enough = SIZE_MAX);

  // Appends the tokens of `text`, all with type 0.
  void run(std::string_view text);

  // The number of tokens at the end of the first word that reaches `enough` tokens, or of all
  // tokens if none does.
  [[nodiscard]] size_t length_read() const { return length_read_.value_or(out_.ids.size()); }

 private:
  TextPosition run_segment(std::string_view text, TextPosition begin, size_t end);
  void run_normalized();
  void take(const NormalizedChar& c);
  void add_to_word(const NormalizedChar& c);
  void end_word();
  [[nodiscard]] bool cover_word();

  const WordPieceParts& parts_;
  Encoding& out_;
  size_t enough_;
  std::optional<size_t> length_read_;
  const Unicode& unicode_;
  BertNormalizer normalizer_;
  std::string word_;
  std::vector<uint32_t> ends_;     // end byte of each char of the word
  std::vector<TextSpan> origins_;  // origin of each char
  TextPosition word_end_;
  std::vector<uint32_t> hashes_;
};

}  // namespace ambry::text

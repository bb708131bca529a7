// Tokenizes one text into SentencePiece ids: cuts out added tokens, normalizes, splits into pieces
// and turns unknown characters into bytes.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "text/sentencepiece/sentencepiece_decoder.h"
#include "text/sentencepiece/sentencepiece_normalizer.h"
#include "text/sentencepiece/sentencepiece_vocabulary.h"
#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/special_tokens.h"
#include "text/unicode/encoding.h"

namespace ambry::text {

// The parts of a tokenizer, without the algorithm.
struct SentencePieceParts {
  SentencePieceVocabulary vocabulary;
  SentencePieceNormalizer normalizer;
  AddedTokens added;
  SpecialTokens special_tokens;
  SentencePieceDecoding decoding;
  bool hugging_face = false;       // whether Hugging Face's rules apply
  bool legacy = true;              // whether each segment gets the dummy prefix, not only the first
  bool marks_before_added = true;  // see model::TokenizerData
  bool fuse_unk = true;
};

class SentencePieceJob {
 public:
  // Appends the pieces of a normalised text.
  using Cut = std::function<void(std::string_view normalized, std::vector<PieceMatch>& out)>;

  // `parts` must outlive the job.
  SentencePieceJob(const SentencePieceParts& parts, Cut cut)
      : parts_(parts), cut_(std::move(cut)) {}

  // Returns the tokens without the special tokens around them.
  [[nodiscard]] Encoding run(std::string_view text);

 private:
  // [begin, end) of the text has no added token of raw text.
  void run_raw(size_t begin, size_t end);
  // [begin, end) also has no added token that is looked for before spaces are marked.
  void run_segment(size_t begin, size_t end);
  // [begin, end) of the normalized segment has no added token.
  void run_pieces(size_t begin, size_t end);
  void push_added(const AddedTokenMatcher::Match& match, size_t offset);
  void push_unknown(size_t at, size_t n_bytes);
  [[nodiscard]] bool needs_dummy_prefix(size_t begin, std::string_view segment) const;
  [[nodiscard]] TextSpan span(size_t at, size_t n_bytes) const;

  const SentencePieceParts& parts_;
  Cut cut_;
  std::string_view text_;
  size_t segment_begin_ = 0;
  NormalizedText normalized_;
  std::vector<PieceMatch> pieces_;
  Encoding out_;
};

}  // namespace ambry::text

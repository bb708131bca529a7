// The tokenizer of a sentence encoder. It is always WordPiece, so the module links no other kind.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/wordpiece/wordpiece.h"

namespace ambry::api {

class Tokenizer {
 public:
  [[nodiscard]] static Result<Tokenizer> create(const model::TokenizerData& data);
  [[nodiscard]] const text::WordPiece& word_piece() const { return *word_piece_; }

  // JSON: {ids, tokens, typeIds, offsets, byteOffsets}. Texts are UTF-8; each ill-formed sequence
  // counts as U+FFFD. `pair` is the second text or nullptr.
  [[nodiscard]] std::string tokenize(std::string_view text, const std::string_view* pair,
                                     bool special) const;
  // `ids` is a JSON array of integers.
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

 private:
  explicit Tokenizer(std::shared_ptr<const text::WordPiece> word_piece)
      : word_piece_(std::move(word_piece)) {}

  std::shared_ptr<const text::WordPiece> word_piece_;
};

}  // namespace ambry::api

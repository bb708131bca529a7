// A tokenizer on its own: of a model file, of a tokenizer.json or of a vocab.txt.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/source.h"
#include "model/tokenizer_data.h"
#include "text/wordpiece.h"

namespace ambry::api {

class Tokenizer {
 public:
  [[nodiscard]] static Result<Tokenizer> create(const model::TokenizerData& data);
  // Recognises the kind of file by its content. NeedBytes while the held parts do not suffice.
  [[nodiscard]] static Result<Tokenizer> open(const io::Source& source);

  // JSON of tokenizer_info().
  [[nodiscard]] const std::string& info() const { return info_; }
  [[nodiscard]] const text::WordPiece& word_piece() const { return *word_piece_; }

  // JSON: {ids, tokens, typeIds, offsets, byteOffsets}. Texts are UTF-8; ill-formed bytes count as
  // U+FFFD. `pair` is the second text, or nullptr.
  [[nodiscard]] std::string tokenize(std::string_view text, const std::string_view* pair,
                                     bool special) const;
  // `ids` is a JSON array of whole numbers.
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

 private:
  Tokenizer(std::string info, std::shared_ptr<const text::WordPiece> word_piece)
      : info_(std::move(info)), word_piece_(std::move(word_piece)) {}

  std::string info_;
  std::shared_ptr<const text::WordPiece> word_piece_;
};

}  // namespace ambry::api

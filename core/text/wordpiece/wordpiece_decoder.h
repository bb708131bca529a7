// Text from WordPiece tokens, as Hugging Face's WordPiece decoder with cleanup makes it: a space
// before every token but continuations, then the usual spaces before punctuation and contractions
// removed. The cleaning sees one token at a time, so a rule never reaches across two of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ambry::text {

class WordPieceDecoder {
 public:
  explicit WordPieceDecoder(std::string_view continuing_prefix) : prefix_(continuing_prefix) {}

  void add(std::string_view token);
  [[nodiscard]] std::string text() && { return std::move(text_); }
  // What has come since the last call.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

 private:
  std::string_view prefix_;
  std::string text_;
  bool first_ = true;
};

}  // namespace ambry::text

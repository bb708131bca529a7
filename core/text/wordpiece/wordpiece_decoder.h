// Makes text from WordPiece tokens, as Hugging Face's WordPiece decoder with cleanup does. It puts
// a space before each token that is not a continuation, then removes the spaces before punctuation
// and contractions. The cleanup looks at one token at a time, so no rule applies across two tokens.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ambry::text {

// Replaces each `from`, which is not empty, from left to right.
void replace_all(std::string& text, std::string_view from, std::string_view to);
// Removes the spaces before punctuation and contractions.
void clean_up(std::string& text);

class WordPieceDecoder {
 public:
  explicit WordPieceDecoder(std::string_view continuing_prefix, bool cleanup = true)
      : prefix_(continuing_prefix), cleanup_(cleanup) {}

  void add(std::string_view token);
  [[nodiscard]] std::string text() && { return std::move(text_); }
  // The text since the last call.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

 private:
  std::string_view prefix_;
  std::string text_;
  bool cleanup_;
  bool first_ = true;
};

}  // namespace ambry::text

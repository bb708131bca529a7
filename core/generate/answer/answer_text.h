// The text of an answer while its tokens arrive. Text that may become part of a stop text waits,
// and so do its tokens.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ambry::generate {

class AnswerText {
 public:
  struct Token {
    size_t index = 0;  // index among the answer's tokens
    std::string text;
  };

  // `stops` must not contain an empty text. Without a tokenizer, tokens have no text to wait for.
  explicit AnswerText(std::vector<std::string> stops, bool has_texts = true)
      : stops_(std::move(stops)), has_texts_(has_texts) {}

  // Adds the next token and its text, which is empty while a character is incomplete. Returns true
  // when a stop text is found; the text then ends before it, and no more tokens may come.
  bool push(std::string_view added);
  // Call after the last token. `rest` is the text that its end adds.
  void finish(std::string_view rest);

  // The tokens whose text is certain and that were not taken yet. Their texts add up to text().
  [[nodiscard]] std::vector<Token> take();
  // All of the text, including text that still waits.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Waiting {
    size_t index;
    size_t begin;  // of its text, in text_
    size_t end;
  };

  [[nodiscard]] size_t find_stop() const;
  // Length of the end of the text that may start a stop text.
  [[nodiscard]] size_t undecided() const;

  std::vector<std::string> stops_;
  bool has_texts_;
  std::string text_;
  size_t certain_ = 0;  // length of the certain part of text_
  size_t n_tokens_ = 0;
  bool ended_ = false;
  std::deque<Waiting> waiting_;
};

}  // namespace ambry::generate

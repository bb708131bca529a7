// The text of an answer as its tokens come: what may yet become a stop text is held back, and with
// it the tokens that it belongs to.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ambry::api {

class AnswerText {
 public:
  struct Token {
    size_t index = 0;  // of the answer's tokens
    std::string text;
  };

  // None of `stops` is empty. Where there is no tokenizer, tokens have no texts to wait for.
  explicit AnswerText(std::vector<std::string> stops, bool has_texts = true)
      : stops_(std::move(stops)), has_texts_(has_texts) {}

  // The next token, and what it adds to the text: nothing while a character is not complete. True
  // when a stop text is there; the text ends before it then, and no more tokens may come.
  bool push(std::string_view added);
  // No more tokens come. `rest` is what their end adds.
  void finish(std::string_view rest);

  // Tokens whose texts are certain by now and that were not taken yet. Their texts make up text().
  [[nodiscard]] std::vector<Token> take();
  // All of it, what is held back included.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Waiting {
    size_t index;
    size_t begin;  // of its text in text_
    size_t end;
  };

  [[nodiscard]] size_t find_stop() const;
  // Length of the end of the text with which a stop text may begin.
  [[nodiscard]] size_t undecided() const;

  std::vector<std::string> stops_;
  bool has_texts_;
  std::string text_;
  size_t certain_ = 0;  // of text_
  size_t n_tokens_ = 0;
  bool ended_ = false;
  std::deque<Waiting> waiting_;
};

}  // namespace ambry::api

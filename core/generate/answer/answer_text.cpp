#include "generate/answer/answer_text.h"

#include <algorithm>

namespace ambry::generate {

bool AnswerText::push(std::string_view added) {
  const size_t begin = text_.size();
  text_ += added;
  waiting_.push_back({n_tokens_++, begin, text_.size()});
  const size_t stop = find_stop();
  if (stop != std::string::npos) {
    text_.resize(stop);
    finish({});
    return true;
  }
  certain_ = text_.size() - undecided();
  return false;
}

void AnswerText::finish(std::string_view rest) {
  text_ += rest;
  certain_ = text_.size();
  for (Waiting& token : waiting_) {
    token.begin = std::min(token.begin, certain_);
    token.end = std::min(token.end, certain_);
  }
  if (!waiting_.empty()) waiting_.back().end = certain_;
  ended_ = true;
}

std::vector<AnswerText::Token> AnswerText::take() {
  // A token without text may hold the start of a character, so it waits for the next token with
  // text. If none comes, it gets the rest.
  size_t n = ended_ || !has_texts_ ? waiting_.size() : 0;
  for (size_t i = n; i < waiting_.size() && waiting_[i].end <= certain_; ++i) {
    if (waiting_[i].end > waiting_[i].begin) n = i + 1;
  }
  std::vector<Token> taken;
  for (; n > 0; --n) {
    const Waiting& token = waiting_.front();
    taken.push_back({token.index, text_.substr(token.begin, token.end - token.begin)});
    waiting_.pop_front();
  }
  return taken;
}

size_t AnswerText::find_stop() const {
  size_t first = std::string::npos;
  for (const std::string& stop : stops_) first = std::min(first, text_.find(stop, certain_));
  return first;
}

size_t AnswerText::undecided() const {
  const std::string_view open = std::string_view(text_).substr(certain_);
  size_t longest = 0;
  for (const std::string& stop : stops_) {
    for (size_t n = std::min(stop.size() - 1, open.size()); n > longest; --n) {
      if (open.ends_with(std::string_view(stop).substr(0, n))) longest = n;
    }
  }
  return longest;
}

}  // namespace ambry::generate

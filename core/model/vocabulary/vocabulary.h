// The tokens of a vocabulary by id: one string with all texts, and one offset a token. A file may
// claim a hundred thousand empty tokens with two bytes each; a std::string would take 32 bytes for
// each.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ambry::model {

class Vocabulary {
 public:
  [[nodiscard]] size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }

  // The token with this id, valid until the vocabulary changes.
  [[nodiscard]] std::string_view operator[](size_t id) const {
    assert(id < size());
    const uint32_t begin = text_offset(id);
    return std::string_view(text_).substr(begin, ends_[id] - begin);
  }

  // The number of bytes in all tokens before `id`. `id` may be size().
  [[nodiscard]] uint32_t text_offset(size_t id) const { return id == 0 ? 0 : ends_[id - 1]; }

  // All tokens together must stay below 4 GiB. The 32-bit sizes in every format ensure that.
  void push_back(std::string_view token) {
    assert(text_.size() + token.size() <= UINT32_MAX);
    text_ += token;
    ends_.push_back(static_cast<uint32_t>(text_.size()));
  }

  // Reserves exactly enough for `n_tokens` of `n_bytes` in total, so that filling never doubles the
  // memory.
  void reserve(size_t n_tokens, size_t n_bytes) {
    ends_.reserve(n_tokens);
    text_.reserve(n_bytes);
  }

  // The number of bytes in all tokens.
  [[nodiscard]] size_t text_bytes() const { return text_.size(); }

  friend bool operator==(const Vocabulary&, const Vocabulary&) = default;

 private:
  std::string text_;
  std::vector<uint32_t> ends_;
};

}  // namespace ambry::model

// The bytes of the tokens that are text, by id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

class TokenTexts {
 public:
  // The tokens below `n_tokens` that are text and end no text. Tokens of more than 1024 bytes are
  // left out.
  TokenTexts(const Tokenizer& tokenizer, size_t n_tokens);

  [[nodiscard]] size_t n_tokens() const { return begins_.size() - 1; }
  // Empty for a token that is left out.
  [[nodiscard]] std::string_view bytes(uint32_t id) const {
    return std::string_view(texts_).substr(begins_[id], begins_[id + 1] - begins_[id]);
  }

 private:
  std::string texts_;
  std::vector<uint32_t> begins_;  // of each token in texts_
};

}  // namespace ambry::text

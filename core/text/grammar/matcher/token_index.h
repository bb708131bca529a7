// What masks need to know of a vocabulary. It is made once for a model, at the first answer with a
// form.
#pragma once

#include <cstdint>
#include <vector>

#include "text/grammar/matcher/token_texts.h"
#include "text/grammar/matcher/token_trie.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

class TokenIndex {
 public:
  // Indexes the tokens below `n_tokens`.
  TokenIndex(const Tokenizer& tokenizer, size_t n_tokens);

  [[nodiscard]] const TokenTexts& texts() const { return texts_; }
  [[nodiscard]] const TokenTrie& all() const { return all_; }
  // The tokens of plain text (plain_text.h) as a bitset, and the other ones.
  [[nodiscard]] const std::vector<uint64_t>& plain() const { return plain_; }
  [[nodiscard]] const TokenTrie& not_plain() const { return not_plain_; }

 private:
  enum class Which : uint8_t { All, NotPlain };

  [[nodiscard]] std::vector<uint32_t> ids_of(Which which) const;

  TokenTexts texts_;
  std::vector<uint64_t> plain_;
  TokenTrie all_;
  TokenTrie not_plain_;
};

}  // namespace ambry::text

// What a tokenizer adds around a text, or around the two texts of a pair, so that parts of long
// texts can get it, too.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "text/tokenizer/tokenizer.h"
#include "text/unicode/encoding.h"

namespace ambry::text {

class TokenTemplate {
 public:
  // Learns what the tokenizer adds from the tokens of a short text. Unsupported for pairs when the
  // tokenizer has no template for them.
  [[nodiscard]] static Result<TokenTemplate> of(const Tokenizer& tokenizer, bool pair);

  // The number of tokens that are added.
  [[nodiscard]] size_t n_added() const { return before_.size() + between_.size() + after_.size(); }

  // Where the parts of a window are among its tokens.
  struct Places {
    size_t first = 0;  // the first token of the first text
    size_t first_end = 0;
    size_t second = 0;  // of the second one; `second_end` for a text alone
    size_t second_end = 0;
  };

  // Builds the tokens [begin, end) of `last` with what is added around them. `last` is the text, or
  // the second one of a pair, whose first one is `first` (otherwise nullptr). Both have no special
  // tokens.
  Places put_around(const Encoding* first, const Encoding& last, size_t begin, size_t end,
                    Encoding& out) const;

 private:
  struct Added {
    uint32_t id = 0;
    uint32_t type_id = 0;
  };
  using Tokens = std::vector<Added>;

  std::vector<Added> before_;
  std::vector<Added> between_;  // only of pairs
  std::vector<Added> after_;
  uint32_t first_type_ = 0;
  uint32_t second_type_ = 0;
};

}  // namespace ambry::text

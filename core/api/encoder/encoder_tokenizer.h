// The tokenizer of a sentence encoder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

// Makes the tokenizers that this module links: those of every kind, or what a definition in the
// module says (wordpiece_only.h).
[[nodiscard]] Result<std::unique_ptr<text::Tokenizer>> make_encoder_tokenizer(
    model::TokenizerData data);

class Tokenizer {
 public:
  [[nodiscard]] static Result<Tokenizer> create(const model::TokenizerData& data);
  [[nodiscard]] const text::Tokenizer& get() const { return *tokenizer_; }

  // JSON: {ids, tokens, typeIds, offsets, byteOffsets}. Texts are UTF-8; each ill-formed sequence
  // counts as U+FFFD. `pair` is the second text or nullptr; Unsupported when the tokenizer has no
  // template for pairs.
  [[nodiscard]] Result<std::string> tokenize(std::string_view text, const std::string_view* pair,
                                             bool special) const;
  // `ids` is a JSON array of integers.
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

 private:
  explicit Tokenizer(std::shared_ptr<const text::Tokenizer> tokenizer)
      : tokenizer_(std::move(tokenizer)) {}

  std::shared_ptr<const text::Tokenizer> tokenizer_;
};

}  // namespace ambry::api

// A tokenizer of any kind on its own: of a model file, a tokenizer.json, a tokenizer.model or a
// vocab.txt. Modules that only run sentence encoders have api::Tokenizer instead.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/source.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

class TextTokenizer {
 public:
  // Recognises the kind of file by its content. NeedBytes while the held parts do not suffice,
  // Unsupported, naming it, for a kind or a step that is not known.
  [[nodiscard]] static Result<TextTokenizer> open(const io::Source& source);

  // JSON of tokenizer_info().
  [[nodiscard]] const std::string& info() const { return info_; }

  // JSON: {ids, tokens, typeIds, offsets, byteOffsets}. Texts are UTF-8; ill-formed bytes count as
  // U+FFFD. `pair` is the second text, or nullptr; Unsupported where the kind has no pairs.
  [[nodiscard]] Result<std::string> tokenize(std::string_view text, const std::string_view* pair,
                                             bool special) const;
  // `ids` is a JSON array of whole numbers.
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

 private:
  TextTokenizer(std::string info, std::shared_ptr<const text::Tokenizer> tokenizer)
      : info_(std::move(info)), tokenizer_(std::move(tokenizer)) {}

  std::string info_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
};

}  // namespace ambry::api

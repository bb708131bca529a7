// A tokenizer of any kind, from a model file, a tokenizer.json, a tokenizer.model or a vocab.txt.
// Modules that run only sentence encoders use api::Tokenizer instead.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/source.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

class TextTokenizer {
 public:
  // Recognizes the kind of file by its content. NeedBytes while bytes are missing. Unsupported,
  // with the name, for an unknown kind or step. `lowercase` says whether a vocab.txt is of an
  // uncased model; BadValue for any other file, which states it.
  [[nodiscard]] static Result<TextTokenizer> open(const io::Source& source,
                                                  std::optional<bool> lowercase = std::nullopt);

  // JSON of tokenizer_info(), with a list of `warnings` where something was assumed.
  [[nodiscard]] const std::string& info() const { return info_; }

  // JSON: {ids, tokens, typeIds, offsets, byteOffsets}. Texts are UTF-8; each ill-formed sequence
  // counts as U+FFFD. `pair` is the second text or nullptr; Unsupported when the kind has no pairs.
  [[nodiscard]] Result<std::string> tokenize(std::string_view text, const std::string_view* pair,
                                             bool special) const;
  // `ids` is a JSON array of integers.
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

 private:
  TextTokenizer(std::string info, std::shared_ptr<const text::Tokenizer> tokenizer)
      : info_(std::move(info)), tokenizer_(std::move(tokenizer)) {}

  std::string info_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
};

}  // namespace ambry::api

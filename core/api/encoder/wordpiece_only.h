// Included in one file of a module, this leaves out all tokenizers but WordPiece. The linker then
// takes this function instead of the weak one of the core.
#pragma once

#include <utility>

#include "api/encoder/make_encoder_tokenizer.h"
#include "text/wordpiece/wordpiece.h"

namespace ambry::api {

// NOLINTNEXTLINE(misc-definitions-in-headers): a module has one file that includes this
Result<std::unique_ptr<text::Tokenizer>> make_encoder_tokenizer(model::TokenizerData data) {
  if (data.kind == model::TokenizerKind::WordPiece) {
    return text::WordPiece::create(std::move(data));
  }
  return make_error(
      ErrorCode::Unsupported, "metadata.tokenizer_kind",
      {"this module has no tokenizer of the kind ", model::tokenizer_kind_name(data.kind)});
}

}  // namespace ambry::api

#include <utility>

#include "api/encoder/make_encoder_tokenizer.h"
#include "text/make_tokenizer.h"

namespace ambry::api {

[[gnu::weak]] Result<std::unique_ptr<text::Tokenizer>> make_encoder_tokenizer(
    model::TokenizerData data) {
  return text::make_tokenizer(std::move(data));
}

}  // namespace ambry::api

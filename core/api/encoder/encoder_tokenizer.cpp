#include "api/encoder/encoder_tokenizer.h"

#include "api/tokenizer/token_lists.h"

namespace ambry::api {

Result<Tokenizer> Tokenizer::create(const model::TokenizerData& data) {
  AMBRY_TRY(std::unique_ptr<text::Tokenizer> made, make_encoder_tokenizer(data));
  return Tokenizer(std::move(made));
}

Result<std::string> Tokenizer::tokenize(std::string_view text, const std::string_view* pair,
                                        bool special) const {
  return api::tokenize(*tokenizer_, text, pair, special);
}

Result<std::string> Tokenizer::detokenize(std::string_view ids, bool skip_special) const {
  return api::detokenize(*tokenizer_, ids, skip_special);
}

}  // namespace ambry::api

#include "api/encoder/encoder_tokenizer.h"

#include <utility>
#include <vector>

#include "api/tokenizer/token_lists.h"
#include "io/json/json.h"

namespace ambry::api {

using io::Json;

Result<Tokenizer> Tokenizer::create(const model::TokenizerData& data) {
  AMBRY_TRY(text::WordPiece word_piece, text::WordPiece::create(data));
  return Tokenizer(std::make_shared<const text::WordPiece>(std::move(word_piece)));
}

std::string Tokenizer::tokenize(std::string_view text, const std::string_view* pair,
                                bool special) const {
  const text::EncodeOptions options{.add_special = special, .max_length = std::nullopt};
  const text::Encoding encoding = pair == nullptr ? word_piece_->encode(text, options)
                                                  : word_piece_->encode_pair(text, *pair, options);
  Json tokens = Json::array();
  for (const uint32_t id : encoding.ids) tokens.append(word_piece_->token(id));
  return encoding_document(encoding, std::move(tokens)).dump();
}

Result<std::string> Tokenizer::detokenize(std::string_view ids, bool skip_special) const {
  AMBRY_TRY(const Json list, io::parse_json(ids, 0, "ids"));
  AMBRY_TRY(const std::vector<uint32_t> numbers, read_ids(list, word_piece_->size(), "ids"));
  return word_piece_->decode(numbers, skip_special);
}

}  // namespace ambry::api

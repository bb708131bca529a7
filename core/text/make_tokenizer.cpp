#include "text/make_tokenizer.h"

#include <utility>

#include "text/bpe/byte_level_bpe.h"
#include "text/sentencepiece/sentencepiece.h"
#include "text/tokenizer_json/unigram_json.h"
#include "text/wordpiece/wordpiece.h"

namespace ambry::text {

Result<std::unique_ptr<Tokenizer>> make_tokenizer(model::TokenizerData data) {
  using model::TokenizerKind;
  switch (data.kind) {
    case TokenizerKind::WordPiece:
      return WordPiece::create(std::move(data));
    case TokenizerKind::Bpe:
      return ByteLevelBpe::create(std::move(data));
    case TokenizerKind::SentencePieceBpe:
    case TokenizerKind::SentencePieceUnigram:
      return SentencePiece::create(std::move(data));
    case TokenizerKind::Unigram:
      return UnigramJson::create(std::move(data));
    case TokenizerKind::Custom:
      if (data.payload.starts_with('{')) return UnigramJson::create(std::move(data));
      break;
    default:
      break;
  }
  return make_error(
      ErrorCode::Unsupported, "tokenizer",
      {"tokenizers of the kind ", tokenizer_kind_name(data.kind), " are not supported"});
}

}  // namespace ambry::text

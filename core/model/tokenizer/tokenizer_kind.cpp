#include "model/tokenizer/tokenizer_kind.h"

#include "model/metadata/metadata_value.h"

namespace ambry::model {

Result<TokenizerKind> tokenizer_kind_in(const io::Json& metadata) {
  const auto name = metadata_text(metadata, kTokenizerKindKey);
  if (!name) return TokenizerKind::WordPiece;
  for (const TokenizerKind kind :
       {TokenizerKind::WordPiece, TokenizerKind::Bpe, TokenizerKind::SentencePieceBpe,
        TokenizerKind::SentencePieceUnigram, TokenizerKind::Unigram}) {
    if (*name == tokenizer_kind_name(kind)) return kind;
  }
  return metadata_error(metadata, kTokenizerKindKey, ErrorCode::Unsupported,
                        {"tokenizers of the kind \"", *name, "\" are not supported"});
}

}  // namespace ambry::model

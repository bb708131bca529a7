#include "text/wordpiece/wordpiece_tokenizer.h"

#include "text/wordpiece/wordpiece_decoder.h"

namespace ambry::text {
namespace {

class WordPieceStream final : public TokenDecoder {
 public:
  WordPieceStream(const WordPiece& tokenizer, bool skip_special)
      : tokenizer_(tokenizer),
        skip_special_(skip_special),
        decoder_(tokenizer.continuing_prefix()) {}

  void push(uint32_t id, std::string& out) override {
    const std::string_view piece = tokenizer_.token(id);
    if (piece.empty() || (skip_special_ && tokenizer_.is_special(id))) return;
    decoder_.add(piece);
    out += decoder_.take();
  }
  void finish(std::string& /*out*/) override {
    decoder_ = WordPieceDecoder(tokenizer_.continuing_prefix());
  }

 private:
  const WordPiece& tokenizer_;
  bool skip_special_;
  WordPieceDecoder decoder_;
};

}  // namespace

Result<std::unique_ptr<Tokenizer>> WordPieceTokenizer::create(model::TokenizerData data) {
  AMBRY_TRY(WordPiece tokenizer, WordPiece::create(std::move(data)));
  return std::unique_ptr<Tokenizer>(new WordPieceTokenizer(std::move(tokenizer)));
}

Encoding WordPieceTokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  return tokenizer_.encode(text, options);
}

Result<Encoding> WordPieceTokenizer::encode_pair(std::string_view first, std::string_view second,
                                                 const EncodeOptions& options) const {
  return tokenizer_.encode_pair(first, second, options);
}

std::unique_ptr<TokenDecoder> WordPieceTokenizer::decoder(bool skip_special) const {
  return std::make_unique<WordPieceStream>(tokenizer_, skip_special);
}

}  // namespace ambry::text

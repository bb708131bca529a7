#include "text/sentencepiece/sentencepiece_decoder.h"

#include "base/utf8.h"
#include "text/unicode/utf8_stream.h"

namespace ambry::text {
namespace {

void append_unmarked(std::string_view piece, std::string_view mark, std::string& out) {
  for (;;) {
    const size_t at = piece.find(mark);
    out += piece.substr(0, at);
    if (at == std::string_view::npos) return;
    out += ' ';
    piece.remove_prefix(at + mark.size());
  }
}

class NativeDecoder final : public TokenDecoder {
 public:
  NativeDecoder(const SentencePieceVocabulary& vocabulary, const SentencePieceDecoding& decoding,
                bool skip_special)
      : vocabulary_(vocabulary), decoding_(decoding), skip_special_(skip_special) {}

  void push(uint32_t id, std::string& out) override {
    if (!vocabulary_.is_known(id)) return;
    const size_t before = out.size();
    const auto byte = byte_of_piece(vocabulary_.pieces[id]);
    if (byte && vocabulary_.is(id, PieceType::Byte)) {
      bytes_.push(std::string_view(reinterpret_cast<const char*>(&*byte), 1), out);
      in_run_ = true;
    } else {
      bytes_.finish(out);
      at_start_ &= !(in_run_ || dropped_space_ || has_text_);
      in_run_ = false;
      append(id, out);
    }
    has_text_ |= out.size() > before;
  }

  void finish(std::string& out) override {
    bytes_.finish(out);
    in_run_ = dropped_space_ = has_text_ = false;
    at_start_ = true;
  }

 private:
  void append(uint32_t id, std::string& out) {
    std::string_view piece = vocabulary_.pieces[id];
    if (vocabulary_.types[id] == PieceType::Control) {
      if (!skip_special_) out += piece;
    } else if (id == vocabulary_.unk) {
      out += decoding_.unk_surface;
    } else {
      const bool drops = at_start_ && decoding_.drop_first_space;
      if (drops && piece.starts_with(decoding_.space)) {
        piece.remove_prefix(decoding_.space.size());
        dropped_space_ = !decoding_.drop_all_spaces;
      }
      append_unmarked(piece, decoding_.space, out);
    }
  }

  const SentencePieceVocabulary& vocabulary_;
  const SentencePieceDecoding& decoding_;
  bool skip_special_;
  Utf8Stream bytes_{Utf8Stream::IllFormed::Byte};
  bool in_run_ = false;
  bool dropped_space_ = false;
  bool has_text_ = false;
  bool at_start_ = true;
};

class HuggingFaceDecoder final : public TokenDecoder {
 public:
  HuggingFaceDecoder(const Tokenizer& tokenizer, const SentencePieceDecoding& decoding,
                     const AddedTokens& added, bool skip_special)
      : tokenizer_(tokenizer), decoding_(decoding), added_(added), skip_special_(skip_special) {}

  void push(uint32_t id, std::string& out) override {
    const std::string_view token = tokenizer_.token(id);
    if (token.empty() || (skip_special_ && added_.is_special(token))) return;
    if (const auto byte = byte_of_piece(token)) {
      run_ += static_cast<char>(*byte);
      return;
    }
    end_run(out);
    std::string text;
    append_unmarked(token, decoding_.space, text);
    append(text, out);
  }

  void finish(std::string& out) override {
    end_run(out);
    at_start_ = true;
  }

 private:
  void end_run(std::string& out) {
    if (find_invalid_utf8(run_)) {
      const size_t n = run_.size();
      run_.clear();
      for (size_t i = 0; i < n; ++i) append_utf8(run_, kReplacementCharacter);
    }
    append(run_, out);
    run_.clear();
  }

  void append(std::string_view text, std::string& out) {
    if (text.empty()) return;
    if (at_start_ && decoding_.drop_first_space && text.starts_with(' ')) text.remove_prefix(1);
    at_start_ = false;
    out += text;
  }

  const Tokenizer& tokenizer_;
  const SentencePieceDecoding& decoding_;
  const AddedTokens& added_;
  bool skip_special_;
  std::string run_;  // bytes
  bool at_start_ = true;
};

}  // namespace

std::string piece_bytes(std::string_view token, std::string_view space) {
  if (const auto byte = byte_of_piece(token)) return std::string(1, static_cast<char>(*byte));
  std::string bytes;
  append_unmarked(token, space, bytes);
  return bytes;
}

std::unique_ptr<TokenDecoder> sentencepiece_decoder(const SentencePieceVocabulary& vocabulary,
                                                    const SentencePieceDecoding& decoding,
                                                    bool skip_special) {
  return std::make_unique<NativeDecoder>(vocabulary, decoding, skip_special);
}

std::unique_ptr<TokenDecoder> sentencepiece_decoder(const Tokenizer& tokenizer,
                                                    const SentencePieceDecoding& decoding,
                                                    const AddedTokens& added, bool skip_special) {
  return std::make_unique<HuggingFaceDecoder>(tokenizer, decoding, added, skip_special);
}

}  // namespace ambry::text

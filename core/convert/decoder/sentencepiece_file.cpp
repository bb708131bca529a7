#include "convert/decoder/sentencepiece_file.h"

#include <string>
#include <utility>

#include "model/tokenizer/files/sentencepiece_model.h"

namespace ambry::convert {
namespace {

using model::TokenizerData;

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581
constexpr uint8_t kNormalPiece = 1;
constexpr uint8_t kUnknown = 2;
constexpr uint8_t kControlPiece = 3;
constexpr uint8_t kBytePiece = 6;
// The score that real models give to pieces of white space.
constexpr float kBlankScore = -1e9F;

bool is_byte_piece(std::string_view piece) {
  return piece.size() == 6 && piece.starts_with("<0x") && piece.ends_with('>');
}

uint8_t type_of(const TokenizerData& tokenizer, size_t id) {
  if (id == tokenizer.unk_id) return kUnknown;
  if (id == tokenizer.bos_id || id == tokenizer.eos_id || id == tokenizer.pad_id)
    return kControlPiece;
  return is_byte_piece(tokenizer.vocabulary[id]) ? kBytePiece : kNormalPiece;
}

void mark_spaces(TokenizerData& tokenizer) {
  model::Vocabulary marked;
  for (size_t id = 0; id < tokenizer.vocabulary.size(); ++id) {
    const std::string_view piece = tokenizer.vocabulary[id];
    if (piece.find(kSpaceMark) != std::string_view::npos) return;  // spaces are already marked
    std::string text;
    for (const char c : piece) {
      if (c == ' ') {
        text += kSpaceMark;
      } else {
        text += c;
      }
    }
    marked.push_back(text);
  }
  tokenizer.vocabulary = std::move(marked);
}

void add_types(TokenizerData& tokenizer) {
  if (!tokenizer.types.empty()) return;
  for (size_t id = 0; id < tokenizer.vocabulary.size(); ++id) {
    tokenizer.types.push_back(type_of(tokenizer, id));
  }
}

void add_scores(TokenizerData& tokenizer) {
  if (!tokenizer.scores.empty()) return;
  for (size_t id = 0; id < tokenizer.vocabulary.size(); ++id) {
    const bool blank = is_blank_piece(tokenizer.vocabulary[id]);
    tokenizer.scores.push_back(tokenizer.types[id] != kNormalPiece ? 0.0F
                               : blank                             ? kBlankScore
                                                                   : -static_cast<float>(id));
  }
}

}  // namespace

bool is_blank_piece(std::string_view piece) {
  while (piece.starts_with(kSpaceMark)) {
    piece.remove_prefix(kSpaceMark.size());
    if (piece.empty()) return true;
  }
  return false;
}

bool types_can_be_derived(const TokenizerData& tokenizer) {
  for (size_t id = 0; id < tokenizer.types.size(); ++id) {
    if (tokenizer.types[id] != type_of(tokenizer, id)) return false;
  }
  return true;
}

Result<void> add_sentencepiece_file(TokenizerData& tokenizer) {
  if (!tokenizer.ids.empty()) {
    return make_error(ErrorCode::Unsupported, "tokenizer", "the ids of its pieces have gaps");
  }
  mark_spaces(tokenizer);
  add_types(tokenizer);
  add_scores(tokenizer);
  model::SentencePieceModel file;
  file.pieces = tokenizer.vocabulary;
  file.scores = tokenizer.scores;
  file.types = tokenizer.types;
  file.type = model::SentencePieceModel::Type::Bpe;
  for (const uint8_t type : tokenizer.types) file.byte_fallback |= type == kBytePiece;
  file.unk_id = tokenizer.unk_id;
  file.bos_id = tokenizer.bos_id;
  file.eos_id = tokenizer.eos_id;
  file.pad_id = tokenizer.pad_id;
  file.normalizer = "identity";
  file.remove_extra_whitespaces = false;
  tokenizer.payload = model::write_sentencepiece_model(file);
  return {};
}

}  // namespace ambry::convert

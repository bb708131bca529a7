#include "formats/alt/token_records.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "formats/alt/token_types.h"

namespace ambry::formats::alt {
namespace {

// When the end of the records is unknown, they are requested in parts of this size.
constexpr uint64_t kWindow = 64 << 10;

// A fault in many pieces is reported once.
struct Fault {
  uint64_t count = 0;
  uint64_t index = 0;
  uint64_t at = 0;

  void note(uint64_t token, uint64_t offset) {
    if (count++ == 0) {
      index = token;
      at = offset;
    }
  }
  [[nodiscard]] Failure report(std::string_view what) const {
    return error_at(ErrorCode::BadValue, at, {"tokenizer.tokens[", index, "].piece"},
                    {what, " (", count, count == 1 ? " piece in all)" : " pieces in all)"});
  }
};

// Faults in pieces that do not stop reading.
struct PieceFaults {
  Fault not_utf8;
  Fault empty;
  Fault nul;

  void report(io::Diagnostics& diagnostics) const {
    if (not_utf8.count != 0) diagnostics.error(not_utf8.report("not valid UTF-8"));
    if (empty.count != 0) diagnostics.tolerate(empty.report("empty"));
    if (nul.count != 0) diagnostics.tolerate(nul.report("ends in a NUL, which is no part of it"));
  }
};

std::string_view checked_piece(Bytes piece, uint64_t token, uint64_t at, PieceFaults& faults) {
  std::string_view text = as_text(piece);
  if (text.ends_with('\0')) {
    faults.nul.note(token, at + text.size() - 1);
    text.remove_suffix(1);
  }
  if (text.empty()) faults.empty.note(token, at);
  if (const auto bad = find_invalid_utf8(text)) {
    faults.not_utf8.note(token, at + *bad);
    return "\xEF\xBF\xBD";
  }
  return text;
}

// llama2.c's vocabularies have spaces where SentencePiece has U+2581.
void spell_spaces(model::Vocabulary& vocabulary, uint64_t tokens_at, io::Diagnostics& diagnostics) {
  size_t n_spaces = 0;
  for (size_t i = 0; i < vocabulary.size(); ++i) {
    if (vocabulary[i].find(kSpace) != std::string_view::npos) return;
    n_spaces += static_cast<size_t>(std::ranges::count(vocabulary[i], ' '));
  }
  if (n_spaces == 0) return;
  model::Vocabulary spelled;
  spelled.reserve(vocabulary.size(), vocabulary.text_bytes() + n_spaces * (kSpace.size() - 1));
  std::string piece;
  for (size_t i = 0; i < vocabulary.size(); ++i) {
    piece.clear();
    for (const char c : vocabulary[i]) {
      if (c == ' ')
        piece += kSpace;
      else
        piece += c;
    }
    spelled.push_back(piece);
  }
  vocabulary = std::move(spelled);
  diagnostics.tolerate(error_at(ErrorCode::BadValue, tokens_at, "tokenizer.tokens",
                                "pieces have spaces where SentencePiece writes U+2581"));
}

}  // namespace

std::span<const TokenLayout> token_layouts(Version version) {
  static constexpr std::array kV1 = {TokenLayout::Plain};
  static constexpr std::array kV2 = {TokenLayout::Scored, TokenLayout::Trailing};
  if (version == Version::V1) return kV1;
  return kV2;
}

uint64_t TokenRecords::record_bytes() const {
  switch (layout_) {
    case TokenLayout::Plain:
      return kTokenBytesV1;
    case TokenLayout::Scored:
      return kTokenBytesV2;
    case TokenLayout::Trailing:
      return kTokenBytesOld;
  }
  return kTokenBytesV1;
}

Result<TokenRecords::Token> TokenRecords::read_token(io::ByteReader& reader) const {
  Token token;
  const uint64_t start = reader.position();
  if (start > limit_ || record_bytes() > limit_ - start) {
    return reader.fail(ErrorCode::Truncated, start, "length", "the tokens end before");
  }
  const auto read_scores = [&]() -> Result<void> {
    AMBRY_TRY(const auto bits, reader.read<uint32_t>("score"));
    token.score = std::bit_cast<float>(bits);
    AMBRY_TRY(token.type, reader.read<int32_t>("type"));
    return {};
  };
  if (layout_ == TokenLayout::Scored) {
    AMBRY_RETURN_IF_ERROR(read_scores());
    const uint64_t id_at = reader.position();
    AMBRY_TRY(token.id, reader.read<int32_t>("id"));
    if (token.id < 0 || static_cast<uint32_t>(token.id) >= count_) {
      return reader.fail(
          ErrorCode::BadValue, id_at, "id",
          std::to_string(token.id) + " is not an id below " + std::to_string(count_));
    }
  }
  const uint64_t length_at = reader.position();
  AMBRY_TRY(const auto length, reader.read<int32_t>("length"));
  token.piece_at = reader.position();
  if (length < 0) {
    return reader.fail(ErrorCode::BadValue, length_at, "length",
                       "a negative length of " + std::to_string(length));
  }
  const uint64_t after_piece = start + record_bytes() - token.piece_at;
  if (static_cast<uint64_t>(length) > limit_ - token.piece_at - after_piece) {
    return reader.fail(
        ErrorCode::Truncated, length_at, "length",
        {"a piece of ", static_cast<uint32_t>(length), " bytes passes the end of the tokens"});
  }
  AMBRY_TRY(token.piece, reader.read_bytes(static_cast<uint64_t>(length), "piece"));
  if (layout_ == TokenLayout::Trailing) AMBRY_RETURN_IF_ERROR(read_scores());
  return token;
}

Result<uint64_t> TokenRecords::walk() const {
  io::ByteReader reader(source_, begin_);
  std::vector<bool> seen(layout_ == TokenLayout::Scored ? count_ : 0);
  uint64_t held = begin_;
  for (uint32_t i = 0; i < count_; ++i) {
    const uint64_t start = reader.position();
    if (start + record_bytes() > held && start < limit_) {
      const uint64_t size = std::min(kWindow, limit_ - start);
      AMBRY_RETURN_IF_ERROR(source_.view(start, size, "tokenizer.tokens"));
      held = start + size;
    }
    const auto scope = reader.enter("tokenizer.tokens", i);
    AMBRY_TRY(const Token token, read_token(reader));
    if (layout_ != TokenLayout::Scored) continue;
    if (seen[static_cast<size_t>(token.id)]) {
      return reader.fail(ErrorCode::BadValue, start + 8, "id",
                         std::to_string(token.id) + " occurs twice");
    }
    seen[static_cast<size_t>(token.id)] = true;
  }
  return reader.position();
}

Result<void> TokenRecords::read(uint64_t end, model::TokenizerData& tokenizer,
                                io::Diagnostics& diagnostics) const {
  const uint64_t text_bytes = end - begin_ - count_ * record_bytes();
  tokenizer.vocabulary.reserve(count_, static_cast<size_t>(text_bytes));
  const bool scored = layout_ != TokenLayout::Plain;
  if (scored) {
    tokenizer.scores.reserve(count_);
    tokenizer.types.reserve(count_);
  }
  PieceFaults faults;
  Fault displaced;
  io::ByteReader reader(source_, begin_);
  for (uint32_t i = 0; i < count_; ++i) {
    const auto scope = reader.enter("tokenizer.tokens", i);
    const uint64_t start = reader.position();
    AMBRY_TRY(const Token token, read_token(reader));
    tokenizer.vocabulary.push_back(checked_piece(token.piece, i, token.piece_at, faults));
    if (!scored) continue;
    tokenizer.scores.push_back(token.score);
    tokenizer.types.push_back(token.type < 0 || token.type > kMaxTokenType
                                  ? kNoTokenType
                                  : static_cast<uint8_t>(token.type));
    if (layout_ != TokenLayout::Scored) continue;
    if (static_cast<uint32_t>(token.id) != i && displaced.count == 0) {
      tokenizer.ids.reserve(count_);
      for (uint32_t id = 0; id < i; ++id) tokenizer.ids.push_back(id);
    }
    if (static_cast<uint32_t>(token.id) != i) displaced.note(i, start);
    if (displaced.count != 0) tokenizer.ids.push_back(static_cast<uint32_t>(token.id));
  }
  faults.report(diagnostics);
  if (displaced.count != 0) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, displaced.at,
                                  {"tokenizer.tokens[", displaced.index, "].id"},
                                  "the tokens are not in the order of their ids"));
  }
  spell_spaces(tokenizer.vocabulary, begin_, diagnostics);
  if (scored) translate_types(begin_, tokenizer, diagnostics);
  return {};
}

}  // namespace ambry::formats::alt

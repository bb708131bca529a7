// Small SentencePiece models for tests: given pieces and SentencePiece's default settings.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/tokenizer/files/sentencepiece_model.h"
#include "text/sentencepiece/sentencepiece.h"

namespace ambry::text {

struct MadePiece {
  std::string text;
  float score = 0;
  PieceType type = PieceType::Normal;
};

// <unk> <s> </s>, then `pieces`, with ids from 3.
inline model::SentencePieceModel make_pieces(model::SentencePieceModel::Type type,
                                             const std::vector<MadePiece>& pieces) {
  model::SentencePieceModel made;
  made.type = type;
  const auto add = [&made](const MadePiece& piece) {
    made.pieces.push_back(piece.text);
    made.scores.push_back(piece.score);
    made.types.push_back(static_cast<uint8_t>(piece.type));
  };
  add({"<unk>", 0, PieceType::Unknown});
  add({"<s>", 0, PieceType::Control});
  add({"</s>", 0, PieceType::Control});
  for (const MadePiece& piece : pieces) add(piece);
  return made;
}

// The 256 pieces of bytes, in order.
inline std::vector<MadePiece> byte_pieces() {
  std::vector<MadePiece> made;
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (size_t byte = 0; byte < 256; ++byte) {
    made.push_back(
        {std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 0, PieceType::Byte});
  }
  return made;
}

// Goes through the model file.
inline model::TokenizerData tokenizer_data(const model::SentencePieceModel& made) {
  const std::string file = model::write_sentencepiece_model(made);
  return std::move(model::sentencepiece_tokenizer(as_bytes(file), 0, "model")).value();
}

inline std::unique_ptr<Tokenizer> tokenizer(model::TokenizerData data) {
  return std::move(SentencePiece::create(std::move(data))).value();
}

inline std::unique_ptr<Tokenizer> tokenizer(const model::SentencePieceModel& made) {
  return tokenizer(tokenizer_data(made));
}

}  // namespace ambry::text

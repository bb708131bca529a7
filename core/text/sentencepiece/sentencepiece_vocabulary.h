// The pieces of a SentencePiece model and the type of each. They may come from a ModelProto or from
// the token lists of GGUF or ALT.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/vocabulary/vocabulary.h"
#include "text/sentencepiece/piece_trie.h"

namespace ambry::text {

inline constexpr size_t kMaxPieceBytes = 1024;  // a lookup takes as many steps

// The values are those of ModelProto.
enum class PieceType : uint8_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

// A part of a normalized text and its piece. Without an id, it is unknown.
struct PieceMatch {
  static constexpr uint32_t kUnknown = UINT32_MAX;

  uint32_t id = kUnknown;
  uint32_t n_bytes = 0;
};

// All lists are by id; empty pieces are gaps.
struct SentencePieceVocabulary {
  model::Vocabulary pieces;
  std::vector<PieceType> types;
  std::vector<float> scores;  // empty when the file has none
  PieceTrie text;             // the pieces into which a text is split
  PieceTrie user_defined;     // the pieces that are never split or merged
  std::optional<uint32_t> unk;
  // Set when unknown characters become bytes: the piece of each byte.
  std::optional<std::array<uint32_t, 256>> bytes;

  // Uses the last one of equal pieces. Takes vocabulary, ids, scores and types out of `data`. If it
  // has no types, spelling and special ids determine them. BadValue for lists of different sizes,
  // pieces that are not UTF-8 and scores that are not finite; LimitExceeded for ids far beyond the
  // number of pieces and for pieces of more than 1024 bytes; NotFound when neither an unknown piece
  // nor a piece for every byte exists.
  [[nodiscard]] static Result<SentencePieceVocabulary> create(model::TokenizerData& data,
                                                              bool byte_fallback);

  [[nodiscard]] bool is_known(uint32_t id) const {
    return id < pieces.size() && !pieces[id].empty();
  }
  [[nodiscard]] bool is(uint32_t id, PieceType type) const {
    return is_known(id) && types[id] == type;
  }
};

// The byte that `<0xHH>` stands for.
[[nodiscard]] std::optional<uint8_t> byte_of_piece(std::string_view piece);

}  // namespace ambry::text

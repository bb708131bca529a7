// The pieces of a SentencePiece model and what each of them is for, whichever file they come from:
// a ModelProto, GGUF's or ALT's list of tokens.
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

inline constexpr size_t kMaxPieceBytes = 1024;  // looking a piece up takes as many steps

// ModelProto's numbering.
enum class PieceType : uint8_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

// A stretch of a normalised text and the piece it is; without an id it is unknown.
struct PieceMatch {
  static constexpr uint32_t kUnknown = UINT32_MAX;

  uint32_t id = kUnknown;
  uint32_t n_bytes = 0;
};

// Everything by id; empty pieces are gaps.
struct SentencePieceVocabulary {
  model::Vocabulary pieces;
  std::vector<PieceType> types;
  std::vector<float> scores;  // empty where the file has none
  PieceTrie text;             // pieces that a text of data.kind is cut into
  PieceTrie user_defined;     // those that are never cut or merged
  std::optional<uint32_t> unk;
  // By byte, where unknown characters become one piece for each of their bytes.
  std::optional<std::array<uint32_t, 256>> bytes;

  // Of two equal pieces the last counts. Uses up the vocabulary, ids, scores and types of `data`;
  // where it states no types, spelling and special ids tell. BadValue for lists of unequal length,
  // pieces that are not UTF-8 and scores that are not finite, LimitExceeded for ids far beyond
  // their number and pieces of more than 1024 bytes, NotFound where neither an unknown piece nor
  // all bytes are there.
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

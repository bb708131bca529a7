// SentencePiece's model file, a ModelProto: its pieces, and the settings needed to run it
// (core/formats/amb/README.md#sentencepiece-model). Other fields are skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

struct SentencePieceModel {
  enum class Type : uint8_t { Unigram = 1, Bpe = 2, Word = 3, Char = 4 };

  Vocabulary pieces;
  std::vector<float> scores;
  std::vector<uint8_t> types;  // NORMAL 1, UNKNOWN 2, CONTROL 3, USER_DEFINED 4, UNUSED 5, BYTE 6

  // trainer_spec
  Type type = Type::Unigram;
  bool treat_whitespace_as_suffix = false;
  bool byte_fallback = false;
  std::optional<uint32_t> unk_id = 0;  // nothing when the file says -1
  std::optional<uint32_t> bos_id = 1;
  std::optional<uint32_t> eos_id = 2;
  std::optional<uint32_t> pad_id;
  std::string_view unk_surface = " \xE2\x81\x87 ";  // the text of an unknown piece

  // normalizer_spec and denormalizer_spec; these borrow from the file's bytes
  std::string_view normalizer;
  std::string_view charsmap;
  std::string_view denormalizer_charsmap;
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

// `bytes` start at `offset` of their file, and `path` starts the paths of errors. The result
// borrows from `bytes`. Truncated or BadValue when the bytes are not a ModelProto, when a piece is
// empty or when a type is unknown. LimitExceeded for more than a million pieces.
[[nodiscard]] Result<SentencePieceModel> parse_sentencepiece_model(Bytes bytes, uint64_t offset,
                                                                   std::string_view path);

// Writes a ModelProto from `model`. `pieces`, `scores` and `types` must have the same size.
[[nodiscard]] std::string write_sentencepiece_model(const SentencePieceModel& model);

// The model as a tokenizer, with `bytes` as its payload. Models of whole words or characters become
// TokenizerKind::Custom, which nothing here can run.
[[nodiscard]] Result<TokenizerData> sentencepiece_tokenizer(Bytes bytes, uint64_t offset,
                                                            std::string_view path);

}  // namespace ambry::model

// SentencePiece's own model file, a ModelProto: the pieces and the settings that running it needs
// (core/formats/amb/README.md#sentencepiece-model). Fields that are not used here are passed over.
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
  std::optional<uint32_t> unk_id = 0;  // absent where the file says -1
  std::optional<uint32_t> bos_id = 1;
  std::optional<uint32_t> eos_id = 2;
  std::optional<uint32_t> pad_id;
  std::string_view unk_surface = " \xE2\x81\x87 ";  // what an unknown piece decodes to

  // normalizer_spec and denormalizer_spec; borrowed from the file's bytes
  std::string_view normalizer;
  std::string_view charsmap;
  std::string_view denormalizer_charsmap;
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

// `bytes` start at `offset` of their file, and `path` starts the paths of errors. The result
// borrows from `bytes`. Truncated or BadValue where the bytes are no ModelProto, an empty piece or
// a type that does not exist, LimitExceeded for more than a million pieces.
[[nodiscard]] Result<SentencePieceModel> parse_sentencepiece_model(Bytes bytes, uint64_t offset,
                                                                   std::string_view path);

// A ModelProto that says what `model` says; `pieces`, `scores` and `types` are equally many.
[[nodiscard]] std::string write_sentencepiece_model(const SentencePieceModel& model);

// The same as a tokenizer, with `bytes` as its payload. Models of whole words or characters are
// TokenizerKind::Custom: nothing here runs them.
[[nodiscard]] Result<TokenizerData> sentencepiece_tokenizer(Bytes bytes, uint64_t offset,
                                                            std::string_view path);

}  // namespace ambry::model

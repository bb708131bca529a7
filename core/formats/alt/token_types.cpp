#include "formats/alt/token_types.h"

#include <array>
#include <string>

namespace ambry::formats::alt {
namespace {

// SentencePiece's ModelProto.Type.
constexpr uint8_t kNormal = 1;
constexpr uint8_t kUnknown = 2;
constexpr uint8_t kControl = 3;
constexpr uint8_t kUserDefined = 4;
constexpr uint8_t kUnused = 5;
constexpr uint8_t kByte = 6;

// The index is the number in the file. The last three are BOS, EOS and PAD, which no writer uses.
using Numbering = std::array<uint8_t, kMaxTokenType + 1>;
constexpr Numbering kNow = {kNormal, kUnknown, kControl, kUserDefined, kByte,
                            kUnused, kControl, kControl, kControl};
constexpr Numbering kUntil2024 = {kNormal,  kByte,    kControl, kUnknown,    kUnused,
                                  kControl, kControl, kControl, kNoTokenType};
constexpr Numbering kDraft = {kNormal, kUnknown, kControl, kUserDefined, kUnused,
                              kByte,   kControl, kControl, kControl};
constexpr uint8_t kFirstBoundaryType = 6;  // BOS in today's numbering

const Numbering& find_numbering(const model::TokenizerData& tokenizer) {
  for (size_t i = 0; i < tokenizer.vocabulary.size(); ++i) {
    if (tokenizer.vocabulary[i] != "<0x00>") continue;
    if (tokenizer.types[i] == 1) return kUntil2024;
    if (tokenizer.types[i] == 5) return kDraft;
    return kNow;
  }
  // Without byte tokens, the unknown token decides. Drafts differ only in byte tokens.
  const auto unknown = tokenizer.unk_id.value_or(0);
  const bool old =
      unknown < tokenizer.types.size() && tokenizer.ids.empty() && tokenizer.types[unknown] == 3;
  return old ? kUntil2024 : kNow;
}

}  // namespace

void translate_types(uint64_t tokens_at, model::TokenizerData& tokenizer,
                     io::Diagnostics& diagnostics) {
  const Numbering& numbering = find_numbering(tokenizer);
  if (&numbering != &kNow) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, tokens_at, "tokenizer.tokens",
                                  "token types are numbered as before 2025"));
  }
  bool complained = false;
  for (size_t i = 0; i < tokenizer.types.size(); ++i) {
    const uint8_t stored = tokenizer.types[i];
    const uint8_t type = stored <= kMaxTokenType ? numbering[stored] : kNoTokenType;
    const bool expected =
        type != kNoTokenType && (&numbering != &kNow || stored < kFirstBoundaryType);
    tokenizer.types[i] = type == kNoTokenType ? kNormal : type;
    if (expected || complained) continue;
    complained = true;
    diagnostics.tolerate(error_at(ErrorCode::BadValue, tokens_at,
                                  {"tokenizer.tokens[", i, "].type"},
                                  "no type that writers give to tokens"));
  }
}

int32_t file_type(uint8_t sentencepiece_type) {
  for (size_t number = 0; number < kFirstBoundaryType; ++number) {
    if (kNow[number] == sentencepiece_type) return static_cast<int32_t>(number);
  }
  return 0;
}

}  // namespace ambry::formats::alt

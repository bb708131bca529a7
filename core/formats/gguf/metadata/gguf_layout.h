// Constants of GGUF for the reader and the writer. README.md explains them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype_table.h"

namespace ambry::formats::gguf {

inline constexpr std::string_view kMagic = "GGUF";
inline constexpr uint64_t kHeaderBytes = 24;
inline constexpr uint64_t kVersionAt = 4;
inline constexpr uint32_t kOldestVersion = 2;
inline constexpr uint32_t kNewestVersion = 3;
inline constexpr uint32_t kDefaultAlignment = 32;
inline constexpr uint64_t kMaxKeyBytes = 65'535;
inline constexpr uint64_t kMaxNameBytes = 64;
inline constexpr uint32_t kMaxRank = 4;
// An entry has a key of one byte, a type and a value of one byte. A tensor info has a name of one
// byte, rank, type and offset.
inline constexpr uint64_t kMinEntryBytes = 8 + 1 + 4 + 1;
inline constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 4 + 8;

// The numbers are the file's.
enum class ValueType : uint32_t {
  U8 = 0,
  I8 = 1,
  U16 = 2,
  I16 = 3,
  U32 = 4,
  I32 = 5,
  F32 = 6,
  Bool = 7,
  String = 8,
  Array = 9,
  U64 = 10,
  I64 = 11,
  F64 = 12
};
inline constexpr uint32_t kValueTypes = 13;

struct ValueTypeFacts {
  std::string_view name;
  uint32_t min_bytes;  // the size, or the length field of strings and arrays
};
// In the order of ValueType.
inline constexpr std::array<ValueTypeFacts, kValueTypes> kValueFacts = {{{"u8", 1},
                                                                         {"i8", 1},
                                                                         {"u16", 2},
                                                                         {"i16", 2},
                                                                         {"u32", 4},
                                                                         {"i32", 4},
                                                                         {"f32", 4},
                                                                         {"bool", 1},
                                                                         {"string", 8},
                                                                         {"array", 12},
                                                                         {"u64", 8},
                                                                         {"i64", 8},
                                                                         {"f64", 8}}};
[[nodiscard]] constexpr const ValueTypeFacts& facts_of(ValueType type) {
  return kValueFacts[static_cast<size_t>(type)];
}

// Tensor types by ggml's number. 4, 5, 31 to 33 and 36 to 38 were removed.
using TensorType = tensor::NumberedDType;
inline constexpr auto kTensorTypes = tensor::numbered_dtypes<&tensor::DTypeRow::gguf>();

[[nodiscard]] constexpr std::optional<tensor::DType> dtype_of(uint32_t number) {
  for (const TensorType& known : kTensorTypes) {
    if (known.number == number) return known.dtype;
  }
  return std::nullopt;
}

struct RemovedType {
  uint32_t number;
  std::string_view name;
};
inline constexpr auto kRemovedTypes = std::to_array<RemovedType>({{4, "Q4_2"},
                                                                  {5, "Q4_3"},
                                                                  {31, "Q4_0_4_4"},
                                                                  {32, "Q4_0_4_8"},
                                                                  {33, "Q4_0_8_8"},
                                                                  {36, "IQ4_NL_4_4"},
                                                                  {37, "IQ4_NL_4_8"},
                                                                  {38, "IQ4_NL_8_8"}});

inline constexpr std::string_view kArchitectureKey = "general.architecture";
// The value of `rope.scaling.type` for a scaling whose factors are tensors.
inline constexpr std::string_view kLongRope = "longrope";
inline constexpr std::string_view kAlignmentKey = "general.alignment";
inline constexpr std::string_view kTypeKey = "general.type";
inline constexpr std::string_view kQuantizationVersionKey = "general.quantization_version";
inline constexpr std::string_view kSplitNumberKey = "split.no";
inline constexpr std::string_view kSplitCountKey = "split.count";
inline constexpr std::string_view kSplitTensorsKey = "split.tensors.count";
inline constexpr std::string_view kTokenizerModelKey = "tokenizer.ggml.model";
inline constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
inline constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";
inline constexpr std::string_view kTokenTypesKey = "tokenizer.ggml.token_type";
inline constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";
inline constexpr std::string_view kTokenizerJsonKey = "tokenizer.huggingface.json";

// The types of tokens, in SentencePiece's numbering.
inline constexpr uint8_t kUnknownToken = 2;
inline constexpr uint8_t kControlToken = 3;
inline constexpr uint8_t kUserDefinedToken = 4;

}  // namespace ambry::formats::gguf

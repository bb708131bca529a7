// The table of element types: one row each, from which every other list of types derives. A new
// type is an enumerator in dtype.h and a row here; how its elements are read and written is code
// (convert.cpp, codec/).
//
// Code that needs a column at run time gets it from dtype_column() or one of the functions after
// the table. So a module links only the columns that it uses.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>

#include "tensor/dtype/dtype.h"

namespace ambry::tensor {

enum class ElementKind : uint8_t {
  Float,    // plain: read and written one by one (convert.h)
  Integer,  // plain, too
  Stored,   // read and written in blocks, if at all
};

// Where AMB puts the scales and codes of a tensor (codec/codec_layout.h).
enum class Arrangement : uint8_t {
  None,          // not a quantized type of AMB
  ScalesFirst,   // all scales, then all codes
  ScaleInBlock,  // each scale before the codes of its block
  Masked,        // a mask says how each block is coded
};

struct DTypeRow {
  DType dtype;
  const char* name;  // as `inspect` prints it, and as options take it
  ElementKind kind = ElementKind::Stored;
  Block block = {};  // {0, 0}: the size is not a matter of the type alone

  // Quantized types of AMB.
  Arrangement arrangement = Arrangement::None;
  DType code = dtype;          // the type without blocks whose codes it has
  uint8_t code_bits = 0;       // of a code that codec/codes.h packs
  uint8_t block_multiple = 0;  // block sizes are multiples of this; 0: any size, or no blocks
  bool in_mask = false;        // may be the code of a block of ADAPTIVE
  std::optional<uint8_t> amb_scale = std::nullopt;  // its number as the type of scales
  const char* scale_name = nullptr;                 // its name as that

  // The type's number in each format that holds it.
  std::optional<uint8_t> amb = std::nullopt;
  std::optional<uint8_t> embd = std::nullopt;
  std::optional<uint8_t> alt = std::nullopt;
  std::optional<uint8_t> gguf = std::nullopt;       // ggml's number
  std::optional<uint8_t> gguf_file = std::nullopt;  // of a GGUF file of mostly this type
  bool encoded = false;  // floats become blocks of it (codec/encode_blocks.h)
  // The type of AMB that has the same codes and scales in another order (codec/repack.h).
  std::optional<DType> same_codes = std::nullopt;
  const char* safetensors = nullptr;  // its name there
};

// clang-format off: columns that belong together share a line
inline constexpr std::array<DTypeRow, kDTypes> kDTypeTable = {{
    {.dtype = DType::F32, .name = "f32", .kind = ElementKind::Float, .block = {1, 4},
     .amb_scale = 0, .scale_name = "fp32",
     .amb = 0, .embd = 0, .alt = 0, .gguf = 0, .gguf_file = 0, .safetensors = "F32"},
    {.dtype = DType::F16, .name = "f16", .kind = ElementKind::Float, .block = {1, 2},
     .code_bits = 16, .in_mask = true, .amb_scale = 1, .scale_name = "fp16",
     .amb = 1, .embd = 1, .alt = 1, .gguf = 1, .gguf_file = 1, .safetensors = "F16"},
    {.dtype = DType::BF16, .name = "bf16", .kind = ElementKind::Float, .block = {1, 2},
     .amb = 2, .embd = 2, .gguf = 30, .gguf_file = 32, .safetensors = "BF16"},
    {.dtype = DType::F64, .name = "f64", .kind = ElementKind::Float, .block = {1, 8},
     .gguf = 28, .safetensors = "F64"},
    {.dtype = DType::I8, .name = "i8", .kind = ElementKind::Integer, .block = {1, 1},
     .embd = 5, .gguf = 24, .safetensors = "I8"},
    {.dtype = DType::I16, .name = "i16", .kind = ElementKind::Integer, .block = {1, 2},
     .embd = 4, .gguf = 25, .safetensors = "I16"},
    {.dtype = DType::I32, .name = "i32", .kind = ElementKind::Integer, .block = {1, 4},
     .embd = 3, .gguf = 26, .safetensors = "I32"},
    {.dtype = DType::I64, .name = "i64", .kind = ElementKind::Integer, .block = {1, 8},
     .gguf = 27, .safetensors = "I64"},
    {.dtype = DType::U8, .name = "u8", .kind = ElementKind::Integer, .block = {1, 1},
     .embd = 8, .safetensors = "U8"},
    {.dtype = DType::U16, .name = "u16", .kind = ElementKind::Integer, .block = {1, 2},
     .embd = 7, .safetensors = "U16"},
    {.dtype = DType::U32, .name = "u32", .kind = ElementKind::Integer, .block = {1, 4},
     .embd = 6, .safetensors = "U32"},
    {.dtype = DType::U64, .name = "u64", .kind = ElementKind::Integer, .block = {1, 8},
     .safetensors = "U64"},
    {.dtype = DType::Bool, .name = "bool", .kind = ElementKind::Integer, .block = {1, 1},
     .safetensors = "BOOL"},
    {.dtype = DType::Int8, .name = "int8",
     .arrangement = Arrangement::ScalesFirst, .code_bits = 8, .in_mask = true, .amb = 3},
    {.dtype = DType::Int4, .name = "int4",
     .arrangement = Arrangement::ScalesFirst, .code_bits = 4, .in_mask = true, .amb = 4},
    {.dtype = DType::Int5, .name = "int5",
     .arrangement = Arrangement::ScalesFirst, .code_bits = 5, .in_mask = true, .amb = 5},
    {.dtype = DType::Int4Block, .name = "int4_block",
     .arrangement = Arrangement::ScaleInBlock, .code = DType::Int4, .block_multiple = 2, .amb = 6},
    {.dtype = DType::Int5Block, .name = "int5_block",
     .arrangement = Arrangement::ScaleInBlock, .code = DType::Int5, .block_multiple = 8, .amb = 7},
    {.dtype = DType::Adaptive, .name = "adaptive",
     .arrangement = Arrangement::Masked, .block_multiple = 8, .amb = 8},
    {.dtype = DType::F8E4M3, .name = "f8_e4m3", .block = {1, 1}, .safetensors = "F8_E4M3"},
    {.dtype = DType::F8E5M2, .name = "f8_e5m2", .block = {1, 1}, .safetensors = "F8_E5M2"},
    {.dtype = DType::F8E8M0, .name = "f8_e8m0", .block = {1, 1}, .safetensors = "F8_E8M0"},
    {.dtype = DType::F8E4M3Fnuz, .name = "f8_e4m3fnuz", .block = {1, 1},
     .safetensors = "F8_E4M3FNUZ"},
    {.dtype = DType::F8E5M2Fnuz, .name = "f8_e5m2fnuz", .block = {1, 1},
     .safetensors = "F8_E5M2FNUZ"},
    {.dtype = DType::F6E2M3, .name = "f6_e2m3", .block = {4, 3}, .safetensors = "F6_E2M3"},
    {.dtype = DType::F6E3M2, .name = "f6_e3m2", .block = {4, 3}, .safetensors = "F6_E3M2"},
    {.dtype = DType::F4, .name = "f4", .block = {2, 1}, .safetensors = "F4"},
    {.dtype = DType::C64, .name = "c64", .block = {1, 8}, .safetensors = "C64"},
    {.dtype = DType::Q4_0, .name = "q4_0", .block = {32, 18},
     .gguf = 2, .gguf_file = 2, .same_codes = DType::Int4Block},
    {.dtype = DType::Q4_1, .name = "q4_1", .block = {32, 20}, .gguf = 3},
    {.dtype = DType::Q5_0, .name = "q5_0", .block = {32, 22},
     .gguf = 6, .gguf_file = 8, .same_codes = DType::Int5Block},
    {.dtype = DType::Q5_1, .name = "q5_1", .block = {32, 24}, .gguf = 7},
    {.dtype = DType::Q8_0, .name = "q8_0", .block = {32, 34},
     .alt = 2, .gguf = 8, .gguf_file = 7, .encoded = true,
     .same_codes = DType::Int8},
    {.dtype = DType::Q8_1, .name = "q8_1", .block = {32, 36}, .gguf = 9},
    {.dtype = DType::Q2_K, .name = "q2_k", .block = {256, 84},
     .gguf = 10, .gguf_file = 10, .encoded = true},
    {.dtype = DType::Q3_K, .name = "q3_k", .block = {256, 110},
     .gguf = 11, .gguf_file = 12, .encoded = true},
    {.dtype = DType::Q4_K, .name = "q4_k", .block = {256, 144},
     .gguf = 12, .gguf_file = 14, .encoded = true},
    {.dtype = DType::Q5_K, .name = "q5_k", .block = {256, 176},
     .gguf = 13, .gguf_file = 17, .encoded = true},
    {.dtype = DType::Q6_K, .name = "q6_k", .block = {256, 210},
     .gguf = 14, .gguf_file = 18, .encoded = true},
    {.dtype = DType::Q8_K, .name = "q8_k", .block = {256, 292}, .gguf = 15},
    {.dtype = DType::IQ2_XXS, .name = "iq2_xxs", .block = {256, 66}, .gguf = 16},
    {.dtype = DType::IQ2_XS, .name = "iq2_xs", .block = {256, 74}, .gguf = 17},
    {.dtype = DType::IQ3_XXS, .name = "iq3_xxs", .block = {256, 98}, .gguf = 18},
    {.dtype = DType::IQ1_S, .name = "iq1_s", .block = {256, 50}, .gguf = 19},
    {.dtype = DType::IQ4_NL, .name = "iq4_nl", .block = {32, 18}, .gguf = 20},
    {.dtype = DType::IQ3_S, .name = "iq3_s", .block = {256, 110}, .gguf = 21},
    {.dtype = DType::IQ2_S, .name = "iq2_s", .block = {256, 82}, .gguf = 22},
    {.dtype = DType::IQ4_XS, .name = "iq4_xs", .block = {256, 136}, .gguf = 23},
    {.dtype = DType::IQ1_M, .name = "iq1_m", .block = {256, 56}, .gguf = 29},
    {.dtype = DType::TQ1_0, .name = "tq1_0", .block = {256, 54}, .gguf = 34},
    {.dtype = DType::TQ2_0, .name = "tq2_0", .block = {256, 66}, .gguf = 35},
    {.dtype = DType::MXFP4, .name = "mxfp4", .block = {32, 17}, .gguf = 39},
    {.dtype = DType::NVFP4, .name = "nvfp4", .block = {64, 36}, .gguf = 40},
    {.dtype = DType::Q1_0, .name = "q1_0", .block = {128, 18}, .gguf = 41},
    {.dtype = DType::Q2_0, .name = "q2_0", .block = {64, 18}, .gguf = 42},
}};
// clang-format on
static_assert([] {
  for (size_t i = 0; i < kDTypes; ++i) {
    if (kDTypeTable[i].dtype != static_cast<DType>(i)) return false;
  }
  return true;
}());  // every type has its row, in the order of the enumerators

// As many elements and bytes as any block has.
inline constexpr Block kLargestBlock = [] {
  Block largest;
  for (const DTypeRow& row : kDTypeTable) {
    largest.elements = std::max(largest.elements, row.block.elements);
    largest.bytes = std::max(largest.bytes, row.block.bytes);
  }
  return largest;
}();

// A column, by type: dtype_column<&DTypeRow::block>(dtype).
namespace detail {
template <auto field>
inline constexpr auto kColumn = [] {
  std::array<std::remove_cvref_t<decltype(kDTypeTable[0].*field)>, kDTypes> column{};
  for (size_t i = 0; i < kDTypes; ++i) column[i] = kDTypeTable[i].*field;
  return column;
}();
}  // namespace detail
template <auto field>
[[nodiscard]] constexpr auto dtype_column(DType dtype) {
  return detail::kColumn<field>[static_cast<size_t>(dtype)];
}

// The types whose rows satisfy `wanted`, in the table's order.
template <auto wanted>
[[nodiscard]] consteval auto dtypes_where() {
  constexpr auto n = static_cast<size_t>(std::ranges::count_if(kDTypeTable, wanted));
  std::array<DType, n> found{};
  size_t i = 0;
  for (const DTypeRow& row : kDTypeTable) {
    if (std::invoke(wanted, row)) found[i++] = row.dtype;
  }
  return found;
}

struct NumberedDType {
  uint32_t number;
  DType dtype;
};

// The types that have a number in a format, lowest first: numbered_dtypes<&DTypeRow::gguf>().
template <auto number>
[[nodiscard]] consteval auto numbered_dtypes() {
  constexpr auto kHeld =
      dtypes_where<[](const DTypeRow& row) { return (row.*number).has_value(); }>();
  std::array<NumberedDType, kHeld.size()> found{};
  for (size_t i = 0; i < kHeld.size(); ++i) {
    found[i] = {*dtype_column<number>(kHeld[i]), kHeld[i]};
  }
  std::ranges::sort(found, {}, &NumberedDType::number);
  return found;
}

// The types in a format whose numbers go from 0 on without a gap: a type's number is its place in
// the list.
template <auto number>
[[nodiscard]] consteval auto dtypes_by_number() {
  constexpr auto kNumbered = numbered_dtypes<number>();
  static_assert(kNumbered.back().number + 1 == kNumbered.size());
  std::array<DType, kNumbered.size()> found{};
  for (const NumberedDType& row : kNumbered) found[row.number] = row.dtype;
  return found;
}

// A type's place in such a list; nothing for a type that is not in it.
[[nodiscard]] constexpr std::optional<uint8_t> number_in(std::span<const DType> types,
                                                         DType dtype) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] == dtype) return static_cast<uint8_t>(i);
  }
  return std::nullopt;
}

}  // namespace ambry::tensor

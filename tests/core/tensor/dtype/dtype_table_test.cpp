// The table of element types. Its numbers are those of files that exist, so they are stated here
// once more.
#include "tensor/dtype/dtype_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/alt/alt_layout.h"
#include "formats/amb/amb_layout.h"
#include "formats/embd/embd_layout.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/safetensors/safetensors_layout.h"
#include "tensor/codec/codes/codec_layout.h"
#include "tensor/codec/stored_values.h"

namespace ambry::tensor {
namespace {

template <class List>
std::string names_of(const List& dtypes) {
  std::string names;
  for (const DType dtype : dtypes) names += std::string(dtype_name(dtype)) + " ";
  return names;
}

TEST(DTypeTable, FindsTypesByName) {
  std::set<std::string_view> names;
  for (const DTypeRow& row : kDTypeTable) {
    EXPECT_EQ(dtype_name(row.dtype), row.name);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
  EXPECT_EQ(dtype_name(DType::F32), "f32");
  EXPECT_EQ(dtype_name(DType::Int5Block), "int5_block");
  EXPECT_EQ(dtype_name(DType::F8E4M3), "f8_e4m3");
  EXPECT_EQ(dtype_name(DType::IQ4_XS), "iq4_xs");
  EXPECT_EQ(dtype_name(DType::Q2_0), "q2_0");
}

TEST(DTypeTable, SizesAreThoseOfTheTypes) {
  for (const DTypeRow& row : kDTypeTable) {
    EXPECT_EQ(row.block.elements == 0, row.arrangement != Arrangement::None) << row.name;
    EXPECT_EQ(is_plain(row.dtype), row.kind != ElementKind::Stored) << row.name;
    if (is_plain(row.dtype)) {
      EXPECT_EQ(row.block.elements, 1) << row.name;
    }
    if (!row.gguf || is_plain(row.dtype)) continue;
    // Below nine bits an element.
    EXPECT_GT(row.block.bytes * 8, row.block.elements) << row.name;
    EXPECT_LE(row.block.bytes, row.block.elements * 9 / 8 + 4) << row.name;
  }
}

TEST(DTypeTable, FormatsNumberTheirTypesAsFilesDo) {
  EXPECT_EQ(names_of(formats::amb::kDTypes),
            "f32 f16 bf16 int8 int4 int5 int4_block int5_block adaptive ");
  EXPECT_EQ(names_of(kScaleTypes), "f32 f16 ");
  EXPECT_EQ(names_of(formats::embd::kDTypes), "f32 f16 bf16 i32 i16 i8 u32 u16 u8 ");
  EXPECT_EQ(names_of(formats::alt::kDTypes), "f32 f16 q8_0 ");
  EXPECT_EQ(formats::amb::dtype_code(DType::Adaptive), 8);
  EXPECT_EQ(formats::amb::dtype_code(DType::I8), std::nullopt);
  EXPECT_EQ(formats::alt::dtype_of(-1), std::nullopt);
  EXPECT_EQ(formats::alt::dtype_of(3), std::nullopt);

  std::string ggml;
  for (const auto& [number, dtype] : formats::gguf::kTensorTypes) {
    ggml += std::to_string(number) + "=" + std::string(dtype_name(dtype)) + " ";
  }
  EXPECT_EQ(ggml,
            "0=f32 1=f16 2=q4_0 3=q4_1 6=q5_0 7=q5_1 8=q8_0 9=q8_1 10=q2_k 11=q3_k 12=q4_k 13=q5_k "
            "14=q6_k 15=q8_k 16=iq2_xxs 17=iq2_xs 18=iq3_xxs 19=iq1_s 20=iq4_nl 21=iq3_s 22=iq2_s "
            "23=iq4_xs 24=i8 25=i16 26=i32 27=i64 28=f64 29=iq1_m 30=bf16 34=tq1_0 35=tq2_0 "
            "39=mxfp4 40=nvfp4 41=q1_0 42=q2_0 ");

  std::string files;
  for (const auto& [number, dtype] : numbered_dtypes<&DTypeRow::gguf_file>()) {
    files += std::to_string(number) + "=" + std::string(dtype_name(dtype)) + " ";
  }
  EXPECT_EQ(files,
            "0=f32 1=f16 2=q4_0 7=q8_0 8=q5_0 10=q2_k 12=q3_k 14=q4_k 17=q5_k 18=q6_k 32=bf16 ");

  EXPECT_EQ(formats::safetensors::kDTypes.size(), 22U);
  EXPECT_EQ(formats::safetensors::dtype_by_name("F8_E4M3"), DType::F8E4M3);
  EXPECT_EQ(formats::safetensors::dtype_by_name("Q4_0"), std::nullopt);
}

// codec/codec_layout.h draws them.
TEST(DTypeTable, CodesOfAmbTakeTheirBits) {
  const std::vector<std::pair<DType, uint32_t>> kBits = {
      {DType::Int8, 8},      {DType::Int4, 4},      {DType::Int5, 5},
      {DType::Int4Block, 4}, {DType::Int5Block, 5}, {DType::F16, 16}};
  for (const auto& [dtype, bits] : kBits) {
    const DType code = code_type(dtype);
    EXPECT_EQ(code_bits(code), bits) << dtype_name(dtype);
    EXPECT_EQ(codes_per_unit(code) * bits, unit_bytes(code) * 8) << dtype_name(dtype);
  }
  std::string mask;
  for (const auto& [byte, code] : kMaskCodes) {
    mask += std::to_string(byte) + "=" + std::string(dtype_name(code)) + " ";
  }
  EXPECT_EQ(mask, "1=f16 3=int8 4=int4 5=int5 ");
  EXPECT_EQ(scale_type_named("fp16"), DType::F16);
  EXPECT_EQ(scale_name(DType::F32), "fp32");
  EXPECT_EQ(scale_type_named("f16"), std::nullopt);
}

TEST(DTypeTable, DecodersComputeWithTheTypesOfAmbAndOfGguf) {
  std::string read;
  for (const DTypeRow& row : kDTypeTable) {
    if (StoredValues::can_read(row.dtype)) read += std::string(row.name) + " ";
    if (row.same_codes) {
      EXPECT_TRUE(StoredValues::can_read(*row.same_codes)) << row.name;
    }
  }
  EXPECT_EQ(read,
            "f32 f16 bf16 int8 int4 int5 int4_block int5_block adaptive q4_0 q4_1 q5_0 q5_1 q8_0 "
            "q8_1 q2_k q3_k q4_k q5_k q6_k q8_k iq2_xxs iq2_xs iq3_xxs iq1_s iq4_nl iq3_s iq2_s "
            "iq4_xs iq1_m tq1_0 tq2_0 mxfp4 nvfp4 q1_0 q2_0 ");
}

}  // namespace
}  // namespace ambry::tensor

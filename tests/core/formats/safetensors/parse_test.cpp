#include "formats/safetensors/parse.h"

#include <gtest/gtest.h>

#include "formats/safetensors/make_safetensors.h"

namespace ambry::formats::safetensors {
namespace {

using testing::File;
using testing::from_header;
using testing::from_tensors;

Result<model::Model> read(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics diagnostics;
  auto model = parse(source, diagnostics);
  if (model && !diagnostics.errors.empty()) return diagnostics.errors.front();
  return model;
}

TEST(Safetensors, ReadsTensorsAndMetadata) {
  const File file = testing::make_safetensors();
  const auto model = read(file);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->metadata.find("format")->string(), "pt");
  ASSERT_EQ(model->tensors.size(), 4U);
  EXPECT_EQ(model->tensors[0].name, "a.weight");
  EXPECT_EQ(model->tensors[0].shape, (tensor::Shape{20, 3}));
  EXPECT_EQ(model->tensors[0].offset, file.size() - 258);
  EXPECT_EQ(model->tensors[1].dtype, tensor::DType::BF16);
  EXPECT_EQ(model->tensors[2].shape.rank(), 0U);
  EXPECT_EQ(model->tensors[3].bytes, 0U);
}

TEST(Safetensors, KnowsEveryTypeAndNamesTheOthers) {
  for (const char* dtype : {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U64", "U32",
                            "U16", "U8", "BOOL"}) {
    EXPECT_TRUE(read(from_tensors({{"t", dtype, {0}, ""}}))) << dtype;
  }
  for (const char* dtype : {"F8_E4M3", "F8_E5M2", "C64", "f32"}) {
    const auto model = read(from_tensors({{"t", dtype, {0}, ""}}));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(model.error().path, "tensors[0].dtype");
    EXPECT_NE(model.error().message.find(dtype), std::string::npos);
  }
}

struct BadHeader {
  const char* header;
  ErrorCode code;
  const char* path;
  size_t at;  // in the header
};

TEST(Safetensors, PointsAtTheFaultyValueOfTheHeader) {
  const BadHeader kBad[] = {
      {R"({"a":1})", ErrorCode::BadValue, "tensors[0]", 5},
      {R"({"a":{"dtype":5,"shape":[4],"data_offsets":[0,4]}})", ErrorCode::BadValue,
       "tensors[0].dtype", 14},
      {R"({"a":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}})", ErrorCode::BadValue,
       "tensors[0].shape[0]", 28},
      {R"({"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}})", ErrorCode::BadValue,
       "tensors[0].shape[0]", 28},
      {R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,4]}})", ErrorCode::Mismatch,
       "tensors[0].data_offsets", 5},
      {R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]}})", ErrorCode::Truncated,
       "tensors[0].data_offsets", 49},
      {R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[3,2]}})", ErrorCode::BadValue,
       "tensors[0].data_offsets", 49},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,4]}})", ErrorCode::BadValue,
       "tensors[0].data_offsets", 51},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0]}})", ErrorCode::BadValue,
       "tensors[0].data_offsets", 48},
      {R"({"a":{"dtype":"U8","shape":[4]}})", ErrorCode::BadValue, "tensors[0]", 5},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"x":1}})", ErrorCode::BadValue,
       "tensors[0].x", 52},
      {R"({"a":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})", ErrorCode::BadValue,
       "tensors[0].dtype", 19},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}})",
       ErrorCode::BadValue, "tensors[1].name", 53},
      {R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}})", ErrorCode::BadValue,
       "tensors[0].data_offsets", 1},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
       ErrorCode::BadValue, "tensors[1].data_offsets", 53},
      {R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})", ErrorCode::BadValue, "data", 56},
      {R"({"":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", ErrorCode::BadValue,
       "tensors[0].name", 1},
      {R"({"__metadata__":{"a":1}})", ErrorCode::BadValue, "__metadata__.a", 21},
      {R"({"__metadata__":{"a":"1","a":"2"}})", ErrorCode::BadValue, "__metadata__.a", 25},
      {R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
       ErrorCode::Overflow, "tensors[0].shape", 5},
      {R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,4],"data_offsets":[0,4]}})",
       ErrorCode::Unsupported, "tensors[0].shape[8]", 44},
      {R"({} {})", ErrorCode::BadValue, "header", 3},
      {"{\"\xFF\":1}", ErrorCode::BadValue, "header", 2},
  };
  for (const BadHeader& bad : kBad) {
    const auto model = read(from_header(bad.header, "data"));
    ASSERT_FALSE(model) << bad.header;
    EXPECT_EQ(model.error().code, bad.code) << bad.header << describe(model.error());
    EXPECT_EQ(model.error().path, bad.path) << bad.header;
    EXPECT_EQ(model.error().byte_offset, 8 + bad.at) << bad.header;
  }
}

TEST(Safetensors, ChecksTheHeadersLength) {
  File file = testing::make_safetensors();
  store_le(file.data(), static_cast<uint64_t>(file.size()));
  EXPECT_EQ(read(file).error().code, ErrorCode::Truncated);
  store_le(file.data(), UINT64_MAX);
  EXPECT_EQ(read(file).error().byte_offset, 0U);
  store_le(file.data(), uint64_t{1});
  EXPECT_EQ(read(file).error().code, ErrorCode::BadValue);
  EXPECT_EQ(read({1, 0, 0}).error().code, ErrorCode::Truncated);
  EXPECT_EQ(read(from_header("[]", "")).error().code, ErrorCode::BadMagic);
  EXPECT_TRUE(read(from_header("{}", "")));
  EXPECT_FALSE(read(from_header("{}", "x")));
}

}  // namespace
}  // namespace ambry::formats::safetensors

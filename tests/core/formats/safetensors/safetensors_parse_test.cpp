#include "formats/safetensors/safetensors_parse.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "data_files.h"
#include "formats/allocation_meter.h"
#include "formats/safetensors/make_safetensors.h"
#include "formats/safetensors/safetensors_layout.h"
#include "formats/sparse_source.h"

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
  for (const NamedDType& known : kDTypes) {
    const tensor::Block block = tensor::block_of(known.dtype);
    const auto model = read(from_tensors(
        {{"t", std::string(known.name), {3, block.elements}, std::string(3U * block.bytes, 'x')}}));
    ASSERT_TRUE(model) << known.name << describe(model.error());
    EXPECT_EQ(model->tensors[0].dtype, known.dtype);
  }
  for (const char* dtype : {"F8", "F8_E3M4", "C128", "f32", ""}) {
    const auto model = read(from_tensors({{"t", dtype, {0}, ""}}));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(model.error().path, "tensors[0].dtype");
    EXPECT_NE(model.error().message.find(dtype), std::string::npos);
  }
}

TEST(Safetensors, RefusesElementsThatDoNotFillWholeBytes) {
  for (const auto& [dtype, extent] : {std::pair{"F4", 3U}, {"F6_E2M3", 2U}, {"F6_E3M2", 5U}}) {
    const auto model = read(from_tensors({{"t", dtype, {extent}, "xx"}}));
    ASSERT_FALSE(model) << dtype;
    EXPECT_EQ(model.error().code, ErrorCode::BadValue);
    EXPECT_EQ(model.error().path, "tensors[0].shape");
  }
}

TEST(Safetensors, MapsItsPartsBesideTheTensors) {
  const auto model = read(from_header("{}  ", ""));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->regions,
            (std::vector<model::Region>{{"header_length", 0, 8}, {"header", 8, 4}}));
}

TEST(Safetensors, AsksForItsHeaderInTwoPieces) {
  const File file = testing::make_safetensors();
  io::PartialSource source(file.size());
  for (int requests = 0;; ++requests) {
    io::Diagnostics found;
    const auto model = parse(source, found);
    if (model) {
      EXPECT_LE(requests, 2);
      break;
    }
    const Error& need = model.error();
    ASSERT_EQ(need.code, ErrorCode::NeedBytes);
    ASSERT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
  EXPECT_EQ(source.loaded_bytes(), file.size() - 258);
}

TEST(Safetensors, PlacesTensorsPastFourGigabytes) {
  const File head =
      from_header(R"({"a":{"dtype":"F32","shape":[3221225472],"data_offsets":[0,12884901888]},)"
                  R"("b":{"dtype":"U8","shape":[5],"data_offsets":[12884901888,12884901893]}})",
                  "");
  formats::testing::SparseSource source;
  source.put(0, head);
  source.set_size(head.size() + 12884901893);
  io::Diagnostics found;
  const auto model = parse(source, found);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->tensors[1].offset, head.size() + 12884901888);
  EXPECT_LE(source.largest_view(), head.size());
}

TEST(Safetensors, ReadsRealFiles) {
  AMBRY_NEEDS_DATA("cnn", "encoders");
  const auto folder = ambry::testing::data_folder();
  size_t n_files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".safetensors") continue;
    const auto model = read(*ambry::testing::read_file(entry.path()));
    ASSERT_TRUE(model) << entry.path() << describe(model.error());
    EXPECT_FALSE(model->tensors.empty());
    ++n_files;
  }
  EXPECT_GT(n_files, 0U);
}

struct BadHeader {
  const char* name;
  const char* header;
  ErrorCode code;
  const char* path;
  size_t at;  // in the header
};

TEST(Safetensors, PointsAtTheFaultyValueOfTheHeader) {
  const BadHeader kBad[] = {
      {"a tensor that is no object", R"({"a":1})", ErrorCode::BadValue, "tensors[0]", 5},
      {"a type that is no text", R"({"a":{"dtype":5,"shape":[4],"data_offsets":[0,4]}})",
       ErrorCode::BadValue, "tensors[0].dtype", 14},
      {"an extent with a point", R"({"a":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}})",
       ErrorCode::BadValue, "tensors[0].shape[0]", 28},
      {"an extent below zero", R"({"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}})",
       ErrorCode::BadValue, "tensors[0].shape[0]", 28},
      {"fewer bytes than the shape", R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,4]}})",
       ErrorCode::Mismatch, "tensors[0].data_offsets", 5},
      {"data past the end", R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]}})",
       ErrorCode::Truncated, "tensors[0].data_offsets", 49},
      {"an end before the start", R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[3,2]}})",
       ErrorCode::BadValue, "tensors[0].data_offsets", 49},
      {"three offsets", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,4]}})",
       ErrorCode::BadValue, "tensors[0].data_offsets", 51},
      {"one offset", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0]}})", ErrorCode::BadValue,
       "tensors[0].data_offsets", 48},
      {"no offsets", R"({"a":{"dtype":"U8","shape":[4]}})", ErrorCode::BadValue, "tensors[0]", 5},
      {"an unknown key", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"x":1}})",
       ErrorCode::BadValue, "tensors[0].x", 52},
      {"a key twice", R"({"a":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
       ErrorCode::BadValue, "tensors[0].dtype", 19},
      {"a tensor twice",
       R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}})",
       ErrorCode::BadValue, "tensors[1].name", 53},
      {"a hole at the start", R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}})",
       ErrorCode::BadValue, "tensors[0].data_offsets", 1},
      {"an overlap",
       R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
       ErrorCode::BadValue, "tensors[1].data_offsets", 53},
      {"bytes after the last tensor", R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})",
       ErrorCode::BadValue, "data", 56},
      {"an empty name", R"({"":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
       ErrorCode::BadValue, "tensors[0].name", 1},
      {"metadata that is no text", R"({"__metadata__":{"a":1}})", ErrorCode::BadValue,
       "__metadata__.a", 21},
      {"a metadata key twice", R"({"__metadata__":{"a":"1","a":"2"}})", ErrorCode::BadValue,
       "__metadata__.a", 25},
      {"a size past 64 bits",
       R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
       ErrorCode::Overflow, "tensors[0].shape", 5},
      {"nine dimensions",
       R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,4],"data_offsets":[0,4]}})",
       ErrorCode::Unsupported, "tensors[0].shape[8]", 44},
      {"text after the object", R"({} {})", ErrorCode::BadValue, "header", 3},
      {"a name that is no text", "{\"\xFF\":1}", ErrorCode::BadValue, "header", 2},
  };
  for (const BadHeader& bad : kBad) {
    const auto model = read(from_header(bad.header, "data"));
    ASSERT_FALSE(model) << bad.name;
    EXPECT_EQ(model.error().code, bad.code) << bad.name << describe(model.error());
    EXPECT_EQ(model.error().path, bad.path) << bad.name;
    EXPECT_EQ(model.error().byte_offset, 8 + bad.at) << bad.name;
  }
}

TEST(Safetensors, RefusesALongNameBeforeCopyingIt) {
  const File file =
      from_tensors({{"a", "U8", {1}, "x"}, {std::string(20 << 20, 'n'), "U8", {1}, "x"}});
  const ambry::testing::AllocationMeter meter;
  const auto model = read(file);
  EXPECT_LE(meter.peak(), 1U << 20);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(model.error().path, "tensors[1].name");
  EXPECT_NE(model.error().message.find("at most 65536"), std::string::npos);
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

#include "formats/safetensors/safetensors_write.h"

#include <gtest/gtest.h>

#include "formats/conformance.h"
#include "formats/registry.h"
#include "formats/safetensors/make_safetensors.h"
#include "formats/safetensors/safetensors_layout.h"
#include "formats/stream_layout.h"
#include "io/json/json.h"

namespace ambry::formats::safetensors {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using model::Model;
using model::TensorEntry;
using tensor::DType;

TensorEntry entry(std::string name, DType dtype, tensor::Shape shape) {
  TensorEntry tensor;
  tensor.name = std::move(name);
  tensor.dtype = dtype;
  tensor.shape = shape;
  return tensor;
}

File rewritten(const File& file) {
  const auto original = formats::testing::read(file, *find_format("safetensors"));
  EXPECT_TRUE(original.accepted());
  Model model = *original.model;
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  return layout ? formats::testing::stream(*layout, *original.model, file) : File();
}

TEST(SafetensorsWrite, StatesEveryTypeByItsName) {
  Model model;
  for (const NamedDType& known : safetensors::kDTypes) {
    model.tensors.push_back(entry(std::string(known.name), known.dtype, {4, 8}));
  }
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  File file(layout->pieces[0].bytes);
  file.resize(static_cast<size_t>(layout->total_bytes));
  const auto read = formats::testing::read(file, *find_format("safetensors"));
  ASSERT_TRUE(read.accepted());
  ASSERT_EQ(read.model->tensors.size(), safetensors::kDTypes.size());
  for (size_t i = 0; i < safetensors::kDTypes.size(); ++i) {
    EXPECT_EQ(read.model->tensors[i].dtype, safetensors::kDTypes[i].dtype);
    EXPECT_EQ(read.model->tensors[i].offset, model.tensors[i].offset);
  }
}

TEST(SafetensorsWrite, StartsTheDataAtAMultipleOfEightAndEscapesNames) {
  for (size_t length = 1; length < 10; ++length) {
    Model model;
    model.tensors.push_back(entry(std::string(length, '"'), DType::U8, {3}));
    model.metadata.set("a\n", "\xC3\xA4\\");
    const auto layout = lay_out(model);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->pieces[0].bytes.size() % 8, 0U);
    File file(layout->pieces[0].bytes);
    file.resize(file.size() + 3);
    const auto read = formats::testing::read(file, *find_format("safetensors"));
    ASSERT_TRUE(read.accepted());
    EXPECT_EQ(read.model->tensors[0].name, model.tensors[0].name);
    EXPECT_EQ(read.model->metadata.dump(), model.metadata.dump());
  }
}

TEST(SafetensorsWrite, PutsTheDataInTheOrderOfTheHeader) {
  const std::string_view header = R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},)"
                                  R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}} )";
  const File again = rewritten(from_header(header, "abb"));
  const auto read = formats::testing::read(again, *find_format("safetensors"));
  ASSERT_TRUE(read.accepted());
  EXPECT_EQ(read.model->tensors[0].name, "b");
  EXPECT_LT(read.model->tensors[0].offset, read.model->tensors[1].offset);
  EXPECT_EQ(std::string(again.end() - 3, again.end()), "bba");
}

TEST(SafetensorsWrite, KeepsFilesWithoutMetadataAndWithoutTensors) {
  EXPECT_EQ(rewritten(from_header("{}      ", "")), from_header("{}      ", ""));
  const File bare = from_header(R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}    )", "x");
  EXPECT_EQ(rewritten(bare), bare);
}

struct Refused {
  const char* what;
  void (*spoil)(Model& model);
  ErrorCode code;
  const char* path;
};

TEST(SafetensorsWrite, NamesValuesThatItCannotStore) {
  const Refused kRows[] = {
      {"a block type", [](Model& m) { m.tensors[1].dtype = DType::Q4_0; }, ErrorCode::Unsupported,
       "tensors[1]"},
      {"AMB's type", [](Model& m) { m.tensors[0].dtype = DType::Int4Block; },
       ErrorCode::Unsupported, "tensors[0]"},
      {"the key of the metadata", [](Model& m) { m.tensors[0].name = "__metadata__"; },
       ErrorCode::BadValue, "tensors[0]"},
      {"no name", [](Model& m) { m.tensors[1].name = ""; }, ErrorCode::BadValue, "tensors[1]"},
      {"not UTF-8", [](Model& m) { m.tensors[1].name = "\xFF"; }, ErrorCode::BadValue,
       "tensors[1]"},
      {"a name twice", [](Model& m) { m.tensors[1].name = "a"; }, ErrorCode::BadValue,
       "tensors[1].name"},
      {"a number in the metadata", [](Model& m) { m.metadata.set("n", 3); }, ErrorCode::Unsupported,
       "__metadata__.n"},
      {"more than 64 bits",
       [](Model& m) { m.tensors[1].shape = {uint64_t{1} << 40, uint64_t{1} << 40}; },
       ErrorCode::Overflow, "tensors[1]"}};
  for (const Refused& row : kRows) {
    Model model;
    model.tensors = {entry("a", DType::F32, {32}), entry("b", DType::F16, {32})};
    ASSERT_TRUE(lay_out(model));
    row.spoil(model);
    const auto layout = lay_out(model);
    ASSERT_FALSE(layout) << row.what;
    EXPECT_EQ(layout.error().code, row.code) << row.what;
    EXPECT_EQ(layout.error().path, row.path) << row.what;
  }
}

}  // namespace
}  // namespace ambry::formats::safetensors

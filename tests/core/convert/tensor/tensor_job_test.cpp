// Tests plans without a format: tensors one after another.
#include "convert/tensor/tensor_job.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "tensor/codec/encode.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;
using tensor::Shape;
using File = std::vector<uint8_t>;

// Files with tensors one after another.
struct Source {
  std::vector<File> files = std::vector<File>(2);

  Input add(DType dtype, const Shape& shape, Bytes bytes, uint32_t file = 0) {
    TensorEntry entry;
    entry.name = "t" + std::to_string(files[file].size());
    entry.dtype = dtype;
    entry.shape = shape;
    entry.offset = files[file].size();
    entry.bytes = bytes.size();
    files[file].insert(files[file].end(), bytes.begin(), bytes.end());
    return {entry, file};
  }
  Input add_floats(const Shape& shape, const std::vector<float>& values, uint32_t file = 0) {
    return add(DType::F32, shape, ambry::bytes_of(std::span<const float>(values)), file);
  }
};

std::vector<float> counted(size_t n, float first = 0) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TensorEntry wanted(DType dtype, const Shape& shape) {
  TensorEntry entry;
  entry.name = "target";
  entry.dtype = dtype;
  entry.shape = shape;
  entry.bytes = *shape.count() * tensor::dtype_size(dtype);
  return entry;
}

Result<File> make(const Source& source, const TensorEntry& target, const Output& output) {
  Plan plan;
  add_output(plan, target, output);
  plan.layout.add_tensor(0, target.bytes);
  const auto job = start(std::move(plan));
  File made;
  for (;;) {
    AMBRY_TRY(const Step step, job->next());
    if (step.kind == Step::Kind::Done) return made;
    if (step.kind == Step::Kind::Read) {
      const File& file = source.files[step.file];
      EXPECT_LE(step.offset + step.target.size(), file.size());
      std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(step.offset), step.target.size(),
                  step.target.begin());
    } else {
      EXPECT_EQ(step.offset, made.size());
      made.insert(made.end(), step.bytes.begin(), step.bytes.end());
    }
  }
}

std::vector<float> make_floats(const Source& source, const Shape& shape, const Output& output) {
  const auto made = make(source, wanted(DType::F32, shape), output);
  EXPECT_TRUE(made) << describe(made.error());
  if (!made) return {};
  std::vector<float> values(made->size() / sizeof(float));
  std::memcpy(values.data(), made->data(), made->size());
  return values;
}

TEST(TensorJob, ConcatenatesInputsOfSeveralFilesAlongTheirRows) {
  Source source;
  Output output;
  output.inputs = {source.add_floats({1, 3}, {1, 2, 3}), source.add_floats({2, 3}, counted(6), 1)};
  for (const Method method : {Method::Copy, Method::Convert}) {
    output.method = method;
    EXPECT_EQ(make_floats(source, {3, 3}, output), (std::vector<float>{1, 2, 3, 0, 1, 2, 3, 4, 5}));
  }
}

TEST(TensorJob, TakesRowsOfAnInput) {
  Source source;
  const Input whole = source.add_floats({5, 2}, counted(10));
  const auto part = row_range(whole.tensor, 1, 3);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->shape, (Shape{3, 2}));
  Output output;
  output.inputs = {{*part, 0}};
  EXPECT_EQ(make_floats(source, {3, 2}, output), counted(6, 2));
  EXPECT_EQ(row_range(whole.tensor, 3, 3).error().code, ErrorCode::Mismatch);
  EXPECT_EQ(row_range(whole.tensor, UINT64_MAX, 2).error().code, ErrorCode::Mismatch);
}

TEST(TensorJob, TakesRowsOfBlocksWithoutTheirPrefix) {
  const auto encoded =
      tensor::encode(DType::Int4Block, {4, 16}, counted(64, -32), {.block_size = 8});
  ASSERT_TRUE(encoded);
  Source source;
  Input whole = source.add(DType::Int4Block, {4, 16}, encoded->payload);
  whole.tensor.quantization = encoded->quantization;
  Output output;
  output.method = Method::Convert;
  output.inputs = {whole};
  const auto all = make_floats(source, {4, 16}, output);
  const auto part = row_range(whole.tensor, 1, 2);
  ASSERT_TRUE(part) << describe(part.error());
  output.inputs = {{*part, 0}};
  EXPECT_EQ(make_floats(source, {2, 16}, output),
            std::vector<float>(all.begin() + 16, all.begin() + 48));
  whole.tensor.dtype = DType::Int8;
  EXPECT_EQ(row_range(whole.tensor, 1, 2).error().code, ErrorCode::Unsupported);
}

TEST(TensorJob, TransposesAMatrixOfManyBlocks) {
  constexpr size_t kIn = 1500;
  constexpr size_t kOut = 1200;
  const auto values = counted(kIn * kOut);
  Source source;
  Output output;
  output.method = Method::Convert;
  output.transpose = true;
  output.inputs = {source.add_floats({kIn, kOut}, values)};
  const auto transposed = make_floats(source, {kOut, kIn}, output);
  ASSERT_EQ(transposed.size(), values.size());
  for (size_t out = 0; out < kOut; out += 7) {
    for (size_t in = 0; in < kIn; in += 11) {
      ASSERT_EQ(transposed[out * kIn + in], values[in * kOut + out]);
    }
  }
}

TEST(TensorJob, PermutesRowsForRotaryPositionsAndBack) {
  // Two heads of six rows; the interleaved pairs (0, 1), (2, 3), (4, 5) become (0, 3), (1, 4), ….
  const std::vector<float> interleaved = counted(12);
  const std::vector<float> half = {0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11};
  for (const Method method : {Method::Copy, Method::Convert}) {
    Source source;
    Output output;
    output.method = method;
    output.rope = {RopePermutation::Change::ToHalf, 6};
    output.inputs = {source.add_floats({12, 1}, interleaved)};
    EXPECT_EQ(make_floats(source, {12, 1}, output), half);
    output.rope.change = RopePermutation::Change::ToInterleaved;
    output.inputs = {source.add_floats({12, 1}, half)};
    EXPECT_EQ(make_floats(source, {12, 1}, output), interleaved);
    output.rope.head_dim = 5;
    EXPECT_EQ(make(source, wanted(DType::F32, {12, 1}), output).error().code,
              ErrorCode::Unsupported);
  }
}

TEST(TensorJob, PermutesRowsOfManyBlocks) {
  constexpr size_t kRows = 3000;
  constexpr size_t kCols = 1001;
  const auto values = counted(kRows * kCols);
  for (const Method method : {Method::Copy, Method::Convert}) {
    Source source;
    Output output;
    output.method = method;
    output.rope = {RopePermutation::Change::ToHalf, 12};
    output.inputs = {source.add_floats({kRows, kCols}, values)};
    const auto made = make_floats(source, {kRows, kCols}, output);
    for (size_t row = 0; row < kRows; ++row) {
      const size_t from = row / 12 * 12 + 2 * (row % 6) + row % 12 / 6;
      ASSERT_EQ(made[row * kCols], values[from * kCols]) << row;
    }
  }
}

TEST(TensorJob, RejectsInputsThatDoNotFillTheTarget) {
  Source source;
  Output output;
  output.inputs = {source.add_floats({1, 3}, {1, 2, 3})};
  for (const Method method : {Method::Copy, Method::Convert}) {
    output.method = method;
    EXPECT_EQ(make(source, wanted(DType::F32, {2, 3}), output).error().code, ErrorCode::Mismatch);
  }
}

TEST(TensorJob, ReportsTheRowOfAnInvalidElement) {
  Source source;
  Output output;
  output.method = Method::Convert;
  output.inputs = {source.add_floats({2, 2}, counted(4)),
                   source.add_floats({2, 2}, {0, 0, 1e6F, 0}, 1)};
  const auto made = make(source, wanted(DType::F16, {4, 2}), output);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Overflow);
  EXPECT_EQ(made.error().path, "t0, row 1");
  EXPECT_EQ(made.error().byte_offset, 8U);
}

}  // namespace
}  // namespace ambry::convert

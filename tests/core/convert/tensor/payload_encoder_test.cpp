#include "convert/tensor/payload_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "convert/tensor/tensor_job.h"
#include "tensor/codec/encode.h"

namespace ambry::convert {
namespace {

using tensor::DType;
using tensor::Shape;
using File = std::vector<uint8_t>;

std::vector<float> random_values(size_t n) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& v : values) v = normal(random);
  return values;
}

struct MadeTensor {
  File bytes;
  Report report;
  uint64_t n_read = 0;
};

// `values` as a tensor of this type, by a plan of that one tensor.
Result<MadeTensor> make(const std::vector<float>& values, const Shape& shape, DType dtype,
                        tensor::Quantization how, uint64_t size) {
  Output output;
  output.method = Method::Encode;
  output.inputs.push_back({});
  model::TensorEntry& source = output.inputs.front().tensor;
  source.name = "source";
  source.shape = shape;
  source.bytes = values.size() * sizeof(float);
  model::TensorEntry target;
  target.name = "target";
  target.dtype = dtype;
  target.shape = shape;
  target.bytes = size;
  target.quantization = how;
  Plan plan;
  add_output(plan, target, output);
  plan.layout.add_tensor(0, size);
  const auto job = start(std::move(plan));
  const Bytes file = bytes_of(std::span<const float>(values));
  MadeTensor made;
  for (;;) {
    AMBRY_TRY(const Step step, job->next());
    if (step.kind == Step::Kind::Done) break;
    if (step.kind == Step::Kind::Read) {
      std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(step.offset), step.target.size(),
                  step.target.begin());
      made.n_read += step.target.size();
    } else {
      made.bytes.insert(made.bytes.end(), step.bytes.begin(), step.bytes.end());
    }
  }
  made.report = *job->report();
  return made;
}

TEST(PayloadEncoder, LeavesOutAPrefixThatTheTargetDoesNotHave) {
  const Shape shape{6, 64};
  const std::vector<float> values = random_values(6 * 64);
  const uint64_t blocks = uint64_t{6} * 2 * (2 + 16);
  const auto with = make(values, shape, DType::Int4Block, {32}, 4 + blocks);
  const auto without = make(values, shape, DType::Int4Block, {32, DType::F16, 0}, blocks);
  ASSERT_TRUE(with && without);
  EXPECT_EQ(without->bytes, std::vector<uint8_t>(with->bytes.begin() + 4, with->bytes.end()));
  EXPECT_EQ(with->report.tensors[0].errors.max_abs_error(),
            without->report.tensors[0].errors.max_abs_error());
}

TEST(PayloadEncoder, WritesTheSameBytesAsTheCodec) {
  const Shape shape{70, 30'000};  // several blocks of a job
  const std::vector<float> values = random_values(70 * 30'000);
  struct Case {
    DType dtype;
    uint16_t block;
    uint64_t passes;
  };
  const Case kCases[] = {{DType::Int8, 0, 2},       {DType::Int8, 32, 2},
                         {DType::Int4, 0, 2},       {DType::Int5, 30'000, 2},
                         {DType::Int4Block, 32, 1}, {DType::Int5Block, 8, 1}};
  for (const Case& c : kCases) {
    const auto whole = tensor::encode(c.dtype, shape, values, {.block_size = c.block});
    ASSERT_TRUE(whole);
    const auto made = make(values, shape, c.dtype, whole->quantization, whole->payload.size());
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_EQ(made->bytes, whole->payload);
    EXPECT_EQ(made->n_read, c.passes * values.size() * sizeof(float));
  }
}

TEST(PayloadEncoder, MeasuresTheError) {
  const std::vector<float> values = {-8, 0.4F, 0, 1, 2, 3, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto made = make(values, {2, 8}, DType::Int4Block, {8, DType::F16, 4, false}, 16);
  ASSERT_TRUE(made) << describe(made.error());
  const TensorReport& tensor = made->report.tensors.front();
  EXPECT_EQ(tensor.name, "target");
  EXPECT_EQ(tensor.from, DType::F32);
  EXPECT_EQ(tensor.to, DType::Int4Block);
  EXPECT_EQ(tensor.bytes_before, 64U);
  EXPECT_EQ(tensor.bytes, 16U);
  const auto lost = static_cast<double>(0.4F);
  EXPECT_DOUBLE_EQ(tensor.errors.max_abs_error(), lost);
  EXPECT_DOUBLE_EQ(tensor.errors.relative_error(), lost / std::sqrt(176 + lost * lost));
  EXPECT_DOUBLE_EQ(tensor.errors.cosine(), std::sqrt(176 / (176 + lost * lost)));
}

TEST(PayloadEncoder, NamesValuesThatCannotBeEncoded) {
  std::vector<float> values(16, 1.0F);
  const auto error = [&](DType dtype, uint64_t size) {
    const auto made = make(values, {2, 8}, dtype, {8, DType::F16, 4, false}, size);
    EXPECT_FALSE(made);
    return made ? Error() : made.error();
  };
  values[12] = NAN;
  EXPECT_EQ(error(DType::Int4Block, 16).path, "source, row 1");
  EXPECT_EQ(error(DType::Int8, 24).path, "source, row 1");
  EXPECT_EQ(error(DType::Int8, 24).byte_offset, 48U);
  values[12] = 1e9F;
  EXPECT_EQ(error(DType::Int4Block, 16).path, "target, scale_type");
  EXPECT_EQ(error(DType::Int8, 24).path, "target, scale_type");
  EXPECT_EQ(error(DType::Int8, 24).code, ErrorCode::Overflow);
}

}  // namespace
}  // namespace ambry::convert

#include "convert/finalfusion/quantize_vectors_job.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "convert/finalfusion/vector_files.h"
#include "kernels/product_quantization/quantizer_training.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using kernels::QuantizerKind;
using namespace testing;  // NOLINT(google-build-using-namespace): this room's own helpers

constexpr std::array kKinds = {QuantizerKind::Plain, QuantizerKind::Optimized,
                               QuantizerKind::GaussianOptimized};

struct QuantizedVectors {
  Read read;
  VectorComparison vectors;
  TensorReport storage;
};

QuantizedVectors quantize(const File& file, const Options& options) {
  const io::MemorySource source(file);
  const SideFiles none;
  auto conversion = Conversion::begin(SourceFiles(source, none), options);
  EXPECT_TRUE(conversion) << describe(conversion.error());
  if (!conversion) return {};
  File target;
  uint64_t worked = 0;
  uint64_t measured = 0;
  for (;;) {
    const auto step = conversion->next();
    EXPECT_TRUE(step) << describe(step.error());
    if (!step || step->kind == Step::Kind::Done) break;
    if (step->kind == Step::Kind::Compute) {
      EXPECT_GE(step->offset, worked);
      EXPECT_LE(step->offset, Step::kProgressDone);
      EXPECT_TRUE(target.empty()) << "work comes before the first write";
      worked = step->offset;
    } else if (step->kind == Step::Kind::Read) {
      std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(step->offset), step->target.size(),
                  step->target.begin());
      if (target.empty()) measured += step->target.size();
    } else {
      EXPECT_EQ(step->offset, target.size());
      target.insert(target.end(), step->bytes.begin(), step->bytes.end());
    }
  }
  EXPECT_EQ(target.size(), conversion->total_bytes());
  EXPECT_EQ(measured, conversion->bytes_to_measure());
  const Report* report = conversion->report();
  if (report == nullptr || !report->vectors || report->tensors.size() != 1) {
    ADD_FAILURE() << "no report";
    return {};
  }
  return {read_strictly(std::move(target)), *report->vectors, report->tensors[0]};
}

std::vector<float> unit_rows(std::vector<float> rows, size_t dims) {
  for (size_t row = 0; row < rows.size(); row += dims) {
    tensor::normalize_word(std::span(rows).subspan(row, dims));
  }
  return rows;
}

TEST(QuantizeVectorsJob, TrainsOnUnitRowsAndKeepsTheirNorms) {
  constexpr uint32_t kDims = 12;
  FifuMaker maker = maker_of(60, kDims);
  const std::vector<float> rows = made_up_rows(60 * kDims, 1);
  const File file = with_rows(maker, rows);
  for (const QuantizerKind kind : kKinds) {
    const Options options = to_quantized(kind, 4, 4);
    const Read written = quantize(file, options).read;
    auto copy = AlignedBuffer::allocate(rows.size() * sizeof(float));
    ASSERT_TRUE(copy);
    std::ranges::copy(unit_rows(rows, kDims), copy->as<float>().begin());
    kernels::TrainingOptions training_options = options.quantize->vectors.training;
    training_options.kind = kind;
    kernels::QuantizerTraining training(std::move(*copy), kDims, training_options);
    for (auto more = training.step(); more && *more; more = training.step()) {
    }
    const kernels::ProductQuantizer expected = training.take();
    EXPECT_EQ(written.floats("quantized.projection"), expected.projection);
    EXPECT_EQ(written.floats("quantized.centroids"), expected.centroids);
    const std::vector<float> norms = written.floats("quantized.norms");
    ASSERT_EQ(norms.size(), 60U);
    for (size_t row = 0; row < norms.size(); ++row) {
      const auto numbers = std::span(rows).subspan(row * kDims, kDims);
      EXPECT_EQ(norms[row], std::sqrt(tensor::word_dot(numbers, numbers)));
    }
  }
}

TEST(QuantizeVectorsJob, ReportsTheVectorsThatAReaderDecodes) {
  constexpr uint32_t kDims = 8;
  FifuMaker maker = maker_of(100, kDims);
  maker.norms = true;  // so that reconstruction keeps the rows
  const std::vector<float> rows = made_up_rows(100 * kDims, 2);
  for (const QuantizerKind kind : kKinds) {
    const QuantizedVectors made = quantize(with_rows(maker, rows), to_quantized(kind, 4, 5));
    const auto dense = run(made.read.file, {}, to_dense());
    ASSERT_TRUE(dense) << describe(dense.error());
    const std::vector<float> after = read_strictly(*dense).floats("storage");
    VectorComparison expected;
    for (size_t row = 0; row < rows.size(); row += kDims) {
      expected.add(std::span(rows).subspan(row, kDims), std::span(after).subspan(row, kDims));
    }
    EXPECT_EQ(made.vectors.rows, 100U);
    EXPECT_EQ(made.vectors.cosine.mean(), expected.cosine.mean());
    EXPECT_EQ(made.vectors.cosine.deviation(), expected.cosine.deviation());
    EXPECT_EQ(made.vectors.distance.mean(), expected.distance.mean());
    EXPECT_GT(made.vectors.cosine.mean(), 0.97);
    EXPECT_LT(made.vectors.cosine.mean(), 1.0);
    EXPECT_EQ(made.storage.name, "storage");
    EXPECT_EQ(made.storage.bytes_before, rows.size() * sizeof(float));
    EXPECT_NEAR(made.storage.errors.cosine(), made.vectors.cosine.mean(), 0.01);
    uint64_t bytes = 0;
    for (const model::TensorEntry& tensor : made.read.model.tensors) {
      if (tensor.name != "norms") bytes += tensor.bytes;
    }
    EXPECT_EQ(made.storage.bytes, bytes);
  }
}

TEST(QuantizeVectorsJob, KeepsMetadataVocabularyAndNorms) {
  for (const uint32_t vocabulary : {1U, 3U, 7U, 8U, 9U}) {
    FifuMaker maker;
    maker.vocabulary = vocabulary;
    maker.metadata = "# as it was\n[a]\nb = 1\n";
    maker.dims = 6;
    if (vocabulary == 9) {
      maker.norms = false;
      maker.buckets = 9;
    }
    const File file = with_rows(maker, made_up_rows(maker.rows() * 6, 3));
    const Read before = read_strictly(file);
    const Read after = quantize(file, to_quantized(QuantizerKind::Plain, 3, 1)).read;
    EXPECT_EQ(after.model.metadata_text, before.model.metadata_text);
    EXPECT_EQ(after.model.words, before.model.words);
    EXPECT_EQ(after.floats("norms"), before.floats("norms"));
    EXPECT_EQ(after.floats("quantized.norms").size(), maker.rows());
    EXPECT_EQ(find_tensor(after.model, "storage"), nullptr);
  }
}

TEST(QuantizeVectorsJob, IsDeterministicForASeed) {
  FifuMaker maker = maker_of(50, 6);
  const File file = with_rows(maker, made_up_rows(50 * 6, 4));
  Options options = to_quantized(QuantizerKind::Optimized, 3, 3);
  const File one = quantize(file, options).read.file;
  EXPECT_EQ(quantize(file, options).read.file, one);
  options.quantize->vectors.training.seed = 1;
  EXPECT_NE(quantize(file, options).read.file, one);
}

TEST(QuantizeVectorsJob, UsesHalfAsManySubquantizersAsDimensionsByDefault) {
  FifuMaker maker = maker_of(20, 6);
  const File file = with_rows(maker, made_up_rows(20 * 6, 5));
  const Read written = quantize(file, to_quantized(QuantizerKind::Plain, 0, 3)).read;
  EXPECT_EQ(find_tensor(written.model, "quantized.codes")->shape, tensor::Shape({20, 3}));
}

TEST(QuantizeVectorsJob, StreamsBlocksAndTrainsOnASample) {
  // Two and a half blocks.
  constexpr uint32_t kDims = 128;
  FifuMaker maker = maker_of(5000, kDims);
  maker.norms = true;
  const std::vector<float> rows = made_up_rows(5000 * kDims, 6);
  const File file = with_rows(maker, rows);
  Options options = to_quantized(QuantizerKind::Plain, 64, 6, 3);
  const QuantizedVectors all = quantize(file, options);
  options.quantize->vectors.sample = 200;
  const QuantizedVectors some = quantize(file, options);
  EXPECT_NE(some.read.floats("quantized.centroids"), all.read.floats("quantized.centroids"));
  EXPECT_EQ(some.read.floats("quantized.norms"), all.read.floats("quantized.norms"));
  EXPECT_EQ(some.vectors.rows, 5000U);
  EXPECT_GT(all.vectors.cosine.mean(), 0.985);
  EXPECT_GT(some.vectors.cosine.mean(), 0.975);
  EXPECT_GT(all.vectors.cosine.mean(), some.vectors.cosine.mean());
}

TEST(QuantizeVectorsJob, KeepsARowOfZeros) {
  FifuMaker maker = maker_of(10, 4);
  maker.norms = true;
  std::vector<float> rows = made_up_rows(10 * 4, 7);
  std::fill_n(rows.begin() + 12, 4, 0.0F);
  for (const QuantizerKind kind : kKinds) {
    const Read written = quantize(with_rows(maker, rows), to_quantized(kind, 2, 2)).read;
    EXPECT_EQ(written.floats("quantized.norms")[3], 0.0F);
    const auto dense = run(written.file, {}, to_dense());
    ASSERT_TRUE(dense);
    const std::vector<float> after = read_strictly(*dense).floats("storage");
    for (size_t i = 12; i < 16; ++i) EXPECT_EQ(after[i], 0.0F);
  }
}

TEST(QuantizeVectorsJob, RejectsValuesThatAreNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    FifuMaker maker = maker_of(8, 4);
    std::vector<float> rows = made_up_rows(8 * 4, 8);
    rows[5 * 4 + 2] = bad;
    const File file = with_rows(maker, rows);
    expect_refused(file, to_quantized(QuantizerKind::Plain, 2, 2), ErrorCode::BadValue,
                   "storage, row 5", maker.places.storage_data + 22 * sizeof(float));
  }
  FifuMaker maker = maker_of(8, 4);
  std::vector<float> rows = made_up_rows(8 * 4, 8);
  rows[4] = 1e30F;
  const File file = with_rows(maker, rows);
  expect_refused(file, to_quantized(QuantizerKind::Plain, 2, 2), ErrorCode::BadValue,
                 "storage, row 1", maker.places.storage_data + 4 * sizeof(float));
}

TEST(QuantizeVectorsJob, RejectsInvalidOptions) {
  FifuMaker maker = maker_of(8, 5);
  const File file = with_rows(maker, made_up_rows(8 * 5, 9));
  const auto expect = [&](const Options& options, ErrorCode code, std::string_view path) {
    expect_refused(file, options, code, path);
  };
  const auto kPlain = QuantizerKind::Plain;
  expect(to_quantized(kPlain, 0, 2), ErrorCode::BadValue, "options.subquantizers");
  expect(to_quantized(kPlain, 3, 2), ErrorCode::BadValue, "options.subquantizers");
  expect(to_quantized(kPlain, 5, 0), ErrorCode::BadValue, "options.bits");
  expect(to_quantized(kPlain, 5, 4), ErrorCode::BadValue, "options.bits");
  expect(to_quantized(kPlain, 5, 9), ErrorCode::BadValue, "options.bits");
  expect(to_quantized(kPlain, 5, 2, 0), ErrorCode::BadValue, "options.iterations");
  Options options = to_quantized(kPlain, 5, 3);
  options.quantize->vectors.sample = 7;
  expect(options, ErrorCode::BadValue, "options.bits");
  options.quantize->vectors.sample = 0;
  options.metadata.emplace_back("a", "b");
  expect(options, ErrorCode::Unsupported, "options");
  FifuMaker none = maker_of(0, 4);
  expect_refused(none.make(), to_quantized(kPlain, 2, 2), ErrorCode::BadValue, "storage");
}

TEST(QuantizeVectorsJob, RejectsQuantizedVectors) {
  FifuMaker maker;
  maker.quantized = true;
  expect_refused(maker.make(), to_quantized(QuantizerKind::Plain, 2, 1), ErrorCode::Unsupported,
                 "storage");
}

// The averages for the references' own files of these vectors are 0.99878 and 0.834.
TEST(QuantizeVectorsJob, MatchesTheAccuracyOfTheReference) {
  AMBRY_NEEDS_DATA("finalfusion");
  const auto file = real_file("rust/similarity.fifu");
  ASSERT_TRUE(file);
  for (const QuantizerKind kind : kKinds) {
    const QuantizedVectors made = quantize(*file, to_quantized(kind, 50, 5, 100));
    EXPECT_GT(made.vectors.cosine.mean(), 0.9985);
    EXPECT_LT(made.vectors.distance.mean(), 0.9);
  }
}

}  // namespace
}  // namespace ambry::convert

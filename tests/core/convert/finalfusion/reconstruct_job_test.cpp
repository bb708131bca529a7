#include "convert/finalfusion/reconstruct_job.h"

#include <gtest/gtest.h>

#include <vector>

#include "convert/finalfusion/vector_files.h"
#include "io/json/json.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this room's own helpers

Read reconstruct(const File& file) {
  const auto dense = run(file, {}, to_dense());
  EXPECT_TRUE(dense) << describe(dense.error());
  return dense ? read_strictly(*dense) : Read{};
}

FifuMaker quantized_maker(bool projection, bool quantized_norms, bool norms) {
  FifuMaker maker;
  maker.metadata = "[a]\nb = 1\n";
  maker.dims = 6;
  maker.quantized = true;
  maker.projection = projection;
  maker.quantized_norms = quantized_norms;
  maker.norms = norms;
  return maker;
}

// A row by the rules of the format page, summed in the order of the reference.
std::vector<float> row_of(const Read& file, size_t row, size_t dims) {
  const std::vector<float> centroids = file.floats("quantized.centroids");
  const model::TensorEntry& codes = *find_tensor(file.model, "quantized.codes");
  const uint64_t n_slices = codes.shape[1];
  const size_t width = dims / n_slices;
  const size_t codebook = centroids.size() / n_slices;
  std::vector<float> joined;
  for (size_t slice = 0; slice < n_slices; ++slice) {
    const uint8_t code = file.file[codes.offset + row * n_slices + slice];
    for (size_t i = 0; i < width; ++i) {
      joined.push_back(centroids[slice * codebook + code * width + i]);
    }
  }
  const std::vector<float> projection = file.floats("quantized.projection");
  std::vector<float> result = joined;
  for (size_t i = 0; i < dims && !projection.empty(); ++i) {
    result[i] = tensor::word_dot(joined, std::span(projection).subspan(i * dims, dims));
  }
  const std::vector<float> norms = file.floats("quantized.norms");
  for (float& x : result) x *= norms.empty() ? 1.0F : norms[row];
  return result;
}

TEST(ReconstructJob, DecodesProjectsAndScalesEachRow) {
  for (const uint32_t vocabulary : {1U, 3U}) {
    for (const bool projection : {false, true}) {
      for (const bool norms : {false, true}) {
        FifuMaker maker = quantized_maker(projection, norms, true);
        maker.vocabulary = vocabulary;
        const Read before = read_strictly(maker.make());
        const Read after = reconstruct(before.file);
        const std::vector<float> storage = after.floats("storage");
        ASSERT_EQ(storage.size(), maker.rows() * 6);
        for (size_t row = 0; row < maker.rows(); ++row) {
          const auto made = std::span(storage).subspan(row * 6, 6);
          EXPECT_EQ(std::vector<float>(made.begin(), made.end()), row_of(before, row, 6));
        }
        EXPECT_EQ(after.model.tensors.size(), 2U);
        EXPECT_EQ(after.floats("norms"), before.floats("norms"));
        EXPECT_EQ(after.model.words, before.model.words);
        EXPECT_EQ(after.model.metadata_text, before.model.metadata_text);
      }
    }
  }
}

TEST(ReconstructJob, ComputesMissingNorms) {
  FifuMaker maker = quantized_maker(true, true, false);
  maker.vocabulary = 3;
  const Read before = read_strictly(maker.make());
  const Read after = reconstruct(before.file);
  const std::vector<float> storage = after.floats("storage");
  const std::vector<float> norms = after.floats("norms");
  ASSERT_EQ(norms.size(), maker.words.size());
  for (size_t row = 0; row < maker.rows(); ++row) {
    std::vector<float> expected = row_of(before, row, 6);
    // Rows of n-grams are not normalized.
    if (row < norms.size()) {
      EXPECT_EQ(norms[row], tensor::normalize_word(expected));
    }
    const auto made = std::span(storage).subspan(row * 6, 6);
    EXPECT_EQ(std::vector<float>(made.begin(), made.end()), expected);
  }
}

TEST(ReconstructJob, ComputesNoNormsWithoutWords) {
  FifuMaker maker = quantized_maker(false, false, false);
  maker.vocabulary = 9;
  maker.buckets = 9;
  const Read after = reconstruct(maker.make());
  EXPECT_EQ(after.model.tensors.size(), 1U);
}

TEST(ReconstructJob, RejectsCodesWithoutACentroid) {
  FifuMaker maker = quantized_maker(false, true, true);
  File file = maker.make();
  const Read read = read_strictly(file);
  const uint64_t at = find_tensor(read.model, "quantized.codes")->offset + 3;
  file[at] = 3;
  expect_refused(file, to_dense(), ErrorCode::BadValue, "quantized.codes, row 1", at);
}

TEST(ReconstructJob, RejectsDenseVectors) {
  expect_refused(FifuMaker().make(), to_dense(), ErrorCode::Unsupported, "storage");
}

class RealVectors : public ::testing::Test {
 protected:
  void SetUp() override { AMBRY_NEEDS_DATA("finalfusion"); }
};

// The Python reference's results for its files, bit for bit except for the projection, which numpy
// sums in its own order.
TEST_F(RealVectors, MatchTheReferencesReconstruction) {
  const File text = *real_file("known_answers.json");
  const auto answers = io::parse_json(as_text(text), 0, "");
  ASSERT_TRUE(answers);
  const io::Json& files =
      *answers->find("computed_by_reference_python")->find("quantized_generated");
  for (const auto& [name, words] : files.members()) {
    const Read before = read_strictly(*real_file("generated/" + name + ".fifu"));
    const Read after = reconstruct(before.file);
    const std::vector<float> storage = after.floats("storage");
    const std::vector<float> norms = after.floats("norms");
    for (const auto& [word, numbers] : words.members()) {
      const size_t row = std::stoul(word.substr(1));
      std::vector<float> expected;
      for (const io::Json& x : numbers.items()) {
        expected.push_back(static_cast<float>(x.number()));
      }
      const bool projected = name.find("proj") != std::string::npos;
      const float norm = tensor::normalize_word(expected);
      EXPECT_NEAR(norms[row], norm, projected ? 1e-6F : 0.0F) << name << " " << word;
      for (size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(storage[row * 6 + i], expected[i], projected ? 1e-6F : 0.0F)
            << name << " " << word;
      }
    }
  }
}

VectorComparison compare(const Read& raw, const Read& quantized) {
  const std::vector<float> before = raw.floats("storage");
  VectorComparison comparison;
  for (size_t row = 0; row * 100 < before.size(); ++row) {
    comparison.add(std::span(before).subspan(row * 100, 100), row_of(quantized, row, 100));
  }
  return comparison;
}

// core/formats/finalfusion/README.md#reconstruct-file
TEST_F(RealVectors, HaveTheOffsetsOfTheReferences) {
  const Read raw = read_strictly(*real_file("rust/similarity.fifu"));
  const Read rust = read_strictly(*real_file("rust/quantized.fifu"));
  const VectorComparison of_raw = compare(raw, rust);
  EXPECT_NEAR(of_raw.cosine.mean(), 0.99878, 5e-6);
  EXPECT_NEAR(of_raw.distance.mean(), 0.834, 5e-4);
  const Read unit = read_strictly(*real_file("python/pq-check.fifu"));
  const Read python = read_strictly(*real_file("python/pq.fifu"));
  const VectorComparison of_unit = compare(unit, python);
  EXPECT_NEAR(of_unit.cosine.mean(), 0.99871, 5e-6);
  EXPECT_NEAR(of_unit.distance.mean(), 0.0497, 5e-5);
  const std::vector<float> dense = reconstruct(python.file).floats("storage");
  const std::vector<float> expected = unit.floats("storage");
  ASSERT_EQ(dense.size(), expected.size());
  for (size_t i = 0; i < dense.size(); ++i) EXPECT_NEAR(dense[i], expected[i], 0.05F);
}

}  // namespace
}  // namespace ambry::convert

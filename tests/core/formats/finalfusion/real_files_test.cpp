// The files of both reference implementations, and what their authors say about them.
#include <gtest/gtest.h>

#include "data_files.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/registry.h"
#include "formats/stream_layout.h"

namespace ambry::formats::finalfusion {
namespace {

using testing::File;

struct RealFile {
  const char* name;
  model::WordVocabularyKind kind;
  uint64_t words;
  uint64_t rows;
  uint64_t dims;
  bool norms;
  bool quantized;
  size_t n_quirks;  // warnings
};

using Kind = model::WordVocabularyKind;

// Words, rows and quirks are those that core/formats/finalfusion/README.md states.
constexpr RealFile kFiles[] = {
    {"rust/similarity.fifu", Kind::Simple, 41, 41, 100, false, false, 0},
    {"rust/quantized.fifu", Kind::Simple, 41, 41, 100, false, true, 0},
    {"python/embeddings.fifu", Kind::Simple, 7, 7, 10, true, false, 1},
    {"python/ff_buckets.fifu", Kind::Bucket, 2, 1026, 5, true, false, 1},
    {"python/simple_vocab.fifu", Kind::Simple, 43, 43, 100, false, false, 0},
    {"python/similarity.fifu", Kind::Simple, 41, 41, 100, false, false, 0},
    {"python/pq-check.fifu", Kind::Simple, 41, 41, 100, false, false, 0},
    {"python/pq.fifu", Kind::Simple, 41, 41, 100, false, true, 0},
    {"generated/analogy_w2v_normalized.fifu", Kind::Simple, 43, 43, 100, true, false, 0},
    {"generated/similarity_w2v_normalized.fifu", Kind::Simple, 41, 41, 100, true, false, 0},
    {"generated/constructed_floret_small.fifu", Kind::Floret, 0, 10, 10, false, false, 0},
    {"generated/fasttext.fifu", Kind::FastText, 157, 257, 50, true, false, 0},
    {"generated/fasttext_explicit.fifu", Kind::Explicit, 157, 257, 50, true, false, 1},
    {"generated/ff_buckets_explicit.fifu", Kind::Explicit, 2, 18, 5, true, false, 1},
    {"generated/pad0.fifu", Kind::Simple, 2, 2, 3, true, false, 0},
    {"generated/pad1.fifu", Kind::Simple, 2, 2, 3, true, false, 0},
    {"generated/pad2.fifu", Kind::Simple, 2, 2, 3, true, false, 0},
    {"generated/pad3.fifu", Kind::Simple, 2, 2, 3, true, false, 0},
    {"generated/pq_plain.fifu", Kind::Simple, 12, 12, 6, false, true, 0},
    {"generated/pq_norms.fifu", Kind::Simple, 12, 12, 6, false, true, 0},
    {"generated/pq_proj.fifu", Kind::Simple, 12, 12, 6, false, true, 0},
    {"generated/pq_proj_norms.fifu", Kind::Simple, 12, 12, 6, false, true, 0},
};

class RealFifu : public ::testing::TestWithParam<RealFile> {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("finalfusion");
    auto file = ambry::testing::data_file(std::string("finalfusion/") + GetParam().name);
    ASSERT_TRUE(file) << GetParam().name;
    file_ = std::move(*file);
  }

  [[nodiscard]] static Result<model::Model> read(const File& file, io::Diagnostics& found) {
    const io::MemorySource source(file);
    const Format& format = *find_format("finalfusion");
    auto model = format.parse(source, found, {});
    if (model) format.check(*model, found);
    return model;
  }

  File file_;
};

TEST_P(RealFifu, IsReadWithItsQuirksAsWarnings) {
  io::Diagnostics found;
  const auto model = read(file_, found);
  ASSERT_TRUE(model) << describe(model.error());
  for (const Error& error : found.errors) ADD_FAILURE() << describe(error);
  EXPECT_EQ(found.warnings.size(), GetParam().n_quirks);
  EXPECT_EQ(model->words->kind, GetParam().kind);
  EXPECT_EQ(model->words->n_words, GetParam().words);
  EXPECT_EQ(model->config.find("dims")->uint(), GetParam().dims);
  EXPECT_EQ(model->config.find("rows")->uint(), GetParam().rows);
  EXPECT_EQ(model->config.find("norms")->boolean(), GetParam().norms);
  EXPECT_EQ(model->config.find("storage")->string(),
            GetParam().quantized ? "quantized" : "ndarray");
}

// Byte for byte where the file is as it should be; else a clean file of the same content.
TEST_P(RealFifu, CanBeRewrittenStrictly) {
  io::Diagnostics found;
  const auto original = read(file_, found);
  ASSERT_TRUE(original);
  model::Model model = *original;
  const auto layout = find_format("finalfusion")->lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  const File written = formats::testing::stream(*layout, *original, file_);
  EXPECT_EQ(written == file_, GetParam().n_quirks == 0);

  io::Diagnostics found_again;
  const auto again = read(written, found_again);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_TRUE(found_again.errors.empty());
  EXPECT_TRUE(found_again.warnings.empty());
  EXPECT_EQ(again->words, original->words);
  EXPECT_EQ(again->metadata_text, original->metadata_text);
  ASSERT_EQ(again->tensors.size(), original->tensors.size());
  for (size_t i = 0; i < again->tensors.size(); ++i) {
    const model::TensorEntry& a = again->tensors[i];
    const model::TensorEntry& b = original->tensors[i];
    EXPECT_EQ(a.shape, b.shape);
    EXPECT_TRUE(std::ranges::equal(Bytes(written).subspan(a.offset, a.bytes),
                                   Bytes(file_).subspan(b.offset, b.bytes)));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RealFifu, ::testing::ValuesIn(kFiles), [](const auto& row) {
  std::string name = row.param.name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace ambry::formats::finalfusion

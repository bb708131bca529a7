#include "formats/finalfusion/finalfusion_write.h"

#include <gtest/gtest.h>

#include <functional>

#include "formats/finalfusion/finalfusion_parse.h"
#include "formats/finalfusion/make_fifu.h"
#include "formats/finalfusion/read_fifu.h"
#include "formats/sparse_source.h"
#include "formats/stream_layout.h"

namespace ambry::formats::finalfusion {
namespace {

using io::Strictness;
using testing::FifuMaker;
using testing::File;
using testing::put_at;
using testing::read;
using testing::with_vocabulary;

// Reads leniently and writes again.
File rewrite(const File& file) {
  const auto original = read(file, Strictness::Lenient);
  EXPECT_TRUE(original.model && original.found.errors.empty());
  model::Model model = *original.model;
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  return formats::testing::stream(*layout, *original.model, file);
}

TEST(FifuWrite, KeepsStrictFilesByteForByte) {
  for (const uint32_t id : {1U, 3U, 7U, 8U, 9U}) {
    for (const bool quantized : {false, true}) {
      for (const char* word : {"", "x", "xy", "xyz"}) {
        FifuMaker maker = with_vocabulary(id);
        maker.words[2] = word;
        maker.metadata = "# kept\na=1";
        maker.norms = id != 9;
        maker.quantized = quantized;
        const File file = maker.make();
        EXPECT_EQ(rewrite(file), file) << id << quantized << word;
      }
    }
  }
}

TEST(FifuWrite, MakesEveryQuirkGood) {
  FifuMaker maker = with_vocabulary(8);
  maker.quantized = true;
  maker.projection = true;
  const File good = maker.make();
  File file = good;
  maker.header = {8, 4};
  file = maker.make();
  put_at(file, maker.places.vocabulary + 4,
         load_le<uint64_t>(file.data() + maker.places.vocabulary + 4) - 24);
  put_at(file, maker.places.storage + 4, uint64_t{0});
  put_at(file, maker.places.storage + 12, uint32_t{7});
  file[maker.places.storage + 12 + 36] = 1;
  put_at(file, maker.places.norms + 4, uint64_t{0});
  file.push_back('x');
  EXPECT_EQ(rewrite(file), good);
}

TEST(FifuWrite, KeepsMetadataThatIsNotToml) {
  FifuMaker maker;
  maker.metadata = "dims: 4\n";
  const File file = maker.make();
  EXPECT_EQ(rewrite(file), file);
}

// One reader takes the stored indices, the other numbers by appearance: after this they agree.
TEST(FifuWrite, PutsNgramsInTheOrderOfTheirRows) {
  FifuMaker maker = with_vocabulary(8);
  maker.ngrams = {{"c", 2}, {"a", 0}, {"b", 1}, {"d", 0}};
  const File file = rewrite(maker.make());
  maker.ngrams = {{"a", 0}, {"d", 0}, {"b", 1}, {"c", 2}};
  EXPECT_EQ(file, maker.make());
  // Order of appearance is enough; a later n-gram may share an earlier row.
  maker.ngrams = {{"a", 0}, {"b", 1}, {"d", 0}, {"c", 2}};
  EXPECT_EQ(rewrite(maker.make()), maker.make());
}

TEST(FifuWrite, WritesMetadataOfOtherFormatsAsToml) {
  model::Model model = *read(FifuMaker().make()).model;
  model.format = "other";
  model.metadata_text = "<xml/>";
  model.metadata = io::Json::object();
  model.metadata.set("dims", 16);
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout);
  const auto& head = layout->pieces[0].bytes;
  const std::string_view text = as_text(head).substr(12 + 16 + 12, 10);
  EXPECT_EQ(text, "dims = 16\n");
}

TEST(FifuWrite, PlacesTensorsInTheOrderOfTheFile) {
  FifuMaker maker;
  maker.quantized = true;
  maker.projection = true;
  maker.quantized_norms = true;
  const File file = maker.make();
  model::Model model = *read(file).model;
  const model::Model original = model;
  std::swap(model.tensors[0], model.tensors[4]);
  model::Model swapped = model;
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout);
  EXPECT_EQ(formats::testing::stream(*layout, swapped, file), file);
  EXPECT_EQ(model.tensors[0].name, "norms");
  EXPECT_EQ(model.tensors[0].offset, original.tensors[4].offset);
  EXPECT_EQ(model.file_bytes, file.size());
}

TEST(FifuWrite, PlacesTensorsPastFourGigabytes) {
  model::Model model = *read(with_vocabulary(7).make()).model;
  model.words->n_buckets = 1U << 31;
  model.tensors[0].shape = {model.words->n_rows(), 16};
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  EXPECT_GT(layout->total_bytes, 128ULL << 30);
  formats::testing::SparseSource source(layout->total_bytes);
  source.put(0, layout->pieces[0].bytes);
  source.put(model.tensors[1].offset - layout->pieces[2].bytes.size(), layout->pieces[2].bytes);
  io::Diagnostics found;
  const auto again = parse(source, found);
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(again->tensors[1].offset, model.tensors[1].offset);
}

struct Bad {
  const char* path;
  ErrorCode code;
  std::function<void(model::Model&)> change;
};

TEST(FifuWrite, RejectsModelsThatReadersWouldReject) {
  const Bad kBad[] = {
      {"vocabulary", ErrorCode::NotFound, [](auto& m) { m.words.reset(); }},
      {"vocabulary.words", ErrorCode::BadValue, [](auto& m) { m.words->words = {}; }},
      {"vocabulary.words[1]", ErrorCode::BadValue,
       [](auto& m) {
         m.words->words = {};
         for (const char* word : {"a", "a", "b"}) m.words->words.push_back(word);
       }},
      {"vocabulary.words[2]", ErrorCode::BadValue,
       [](auto& m) {
         m.words->words = {};
         for (const char* word : {"a", "b", "\xFF"}) m.words->words.push_back(word);
       }},
      {"vocabulary.min_n", ErrorCode::BadValue, [](auto& m) { m.words->min_n = 0; }},
      {"vocabulary.ngrams", ErrorCode::BadValue, [](auto& m) { m.words->ngram_rows.pop_back(); }},
      {"vocabulary.ngrams", ErrorCode::BadValue, [](auto& m) { m.words->ngram_rows[1] = 0; }},
      {"vocabulary.ngrams[2]", ErrorCode::BadValue,
       [](auto& m) {
         m.words->ngrams = {};
         for (const char* ngram : {"a", "b", "a"}) m.words->ngrams.push_back(ngram);
       }},
      {"vocabulary.n_buckets", ErrorCode::BadValue,
       [](auto& m) {
         m.words->kind = model::WordVocabularyKind::Bucket;
         m.words->n_buckets = 3;
         m.tensors[0].shape = {6, 16};
       }},
      {"vocabulary.n_buckets", ErrorCode::BadValue,
       [](auto& m) {
         m.words->kind = model::WordVocabularyKind::FastText;
         m.words->n_buckets = uint64_t{1} << 32;
         m.tensors[0].shape = {m.words->n_rows(), 16};
       }},
      {"vocabulary.n_hashes", ErrorCode::BadValue,
       [](auto& m) {
         m.words->kind = model::WordVocabularyKind::Floret;
         m.words->words = {};
         m.words->n_words = 0;
         m.tensors[0].shape = {2, 16};
         m.tensors[1].shape = {0};
       }},
      {"storage", ErrorCode::NotFound, [](auto& m) { m.tensors.erase(m.tensors.begin()); }},
      {"storage", ErrorCode::NotFound, [](auto& m) { m.tensors[0].name = "quantized.centroids"; }},
      {"storage", ErrorCode::Mismatch, [](auto& m) { m.tensors[0].shape = {4, 16}; }},
      {"storage", ErrorCode::Mismatch, [](auto& m) { m.tensors[0].shape = {5}; }},
      {"storage", ErrorCode::Unsupported, [](auto& m) { m.tensors[0].dtype = tensor::DType::F16; }},
      {"storage", ErrorCode::Unsupported, [](auto& m) { m.tensors.push_back(m.tensors[0]); }},
      {"norms", ErrorCode::Mismatch, [](auto& m) { m.tensors[1].shape = {2}; }},
      {"other", ErrorCode::Unsupported, [](auto& m) { m.tensors[1].name = "other"; }},
  };
  const auto original = read(with_vocabulary(8).make());
  for (const Bad& bad : kBad) {
    model::Model model = *original.model;
    bad.change(model);
    const auto layout = lay_out(model);
    ASSERT_FALSE(layout) << bad.path;
    EXPECT_EQ(layout.error().path, bad.path) << describe(layout.error());
    EXPECT_EQ(layout.error().code, bad.code) << describe(layout.error());
  }
}

TEST(FifuWrite, RefusesQuantizedPartsThatDoNotAgree) {
  FifuMaker maker;
  maker.quantized = true;
  maker.projection = true;
  maker.quantized_norms = true;
  const auto original = read(maker.make());
  // projection, centroids, norms, codes
  const tensor::Shape kShapes[] = {{16, 8}, {2, 3}, {4}, {3, 3}};
  for (size_t i = 0; i < 4; ++i) {
    model::Model model = *original.model;
    model.tensors[i].shape = kShapes[i];
    const auto layout = lay_out(model);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().path, original.model->tensors[i].name);
  }
}

}  // namespace
}  // namespace ambry::formats::finalfusion

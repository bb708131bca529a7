#include "convert/finalfusion/explicit_ngrams_job.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "convert/finalfusion/vector_files.h"
#include "model/words/subword_lookup.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this room's own helpers

Options to_explicit() {
  Options options;
  options.to = "finalfusion";
  options.explicit_ngrams = true;
  return options;
}

Read make_explicit(const File& file) {
  const auto made = run(file, {}, to_explicit());
  EXPECT_TRUE(made) << describe(made.error());
  return made ? read_strictly(*made) : Read{};
}

Read dense(const Read& file) {
  if (find_tensor(file.model, "storage") != nullptr) return file;
  const auto made = run(file.file, {}, to_dense());
  EXPECT_TRUE(made) << describe(made.error());
  return made ? read_strictly(*made) : Read{};
}

std::vector<float> row_of(const std::vector<float>& storage, uint64_t row, size_t dims) {
  const auto begin = storage.begin() + static_cast<std::ptrdiff_t>(row * dims);
  return {begin, begin + static_cast<std::ptrdiff_t>(dims)};
}

// core/formats/finalfusion/README.md#explicit-ngrams: every n-gram of every word has in the target
// the row that its bucket has in the source, each stored n-gram is one of a word, and indices first
// appear as 0, 1, 2, ….
void expect_same_rows(const Read& before, const Read& after) {
  const model::WordVocabulary& words = *after.model.words;
  ASSERT_EQ(words.kind, model::WordVocabularyKind::Explicit);
  EXPECT_EQ(words.words, before.model.words->words);
  EXPECT_EQ(after.floats("norms"), before.floats("norms"));
  const Read from = dense(before);
  const Read to = dense(after);
  const std::vector<float> source = from.floats("storage");
  const std::vector<float> target = to.floats("storage");
  const size_t dims = source.size() / before.model.words->n_rows();
  ASSERT_EQ(target.size(), words.n_rows() * dims);
  const model::SubwordLookup old_pieces(*before.model.words);
  std::vector<uint64_t> old_rows;
  std::vector<uint64_t> new_rows;
  std::vector<bool> used(words.ngrams.size());
  const model::SubwordLookup new_pieces(words);
  const model::VocabularyIndex index(words.ngrams);
  for (size_t i = 0; i < words.words.size(); ++i) {
    EXPECT_EQ(row_of(source, i, dims), row_of(target, i, dims)) << i;
    old_pieces.for_each(words.words[i], [&](std::string_view, std::span<const uint64_t> rows) {
      old_rows.push_back(rows.front());
    });
    new_pieces.for_each(words.words[i],
                        [&](std::string_view piece, std::span<const uint64_t> rows) {
                          ASSERT_EQ(rows.size(), 1U) << piece;
                          new_rows.push_back(rows.front());
                          used[*index.find(words.ngrams, piece)] = true;
                        });
  }
  ASSERT_EQ(old_rows.size(), new_rows.size());
  for (size_t i = 0; i < old_rows.size(); ++i) {
    EXPECT_EQ(row_of(source, old_rows[i], dims), row_of(target, new_rows[i], dims)) << i;
  }
  EXPECT_EQ(std::ranges::count(used, false), 0);
  uint64_t next = 0;
  for (const uint32_t row : words.ngram_rows) {
    ASSERT_LE(row, next);
    if (row == next) ++next;
  }
  EXPECT_EQ(next, words.n_buckets);
}

FifuMaker maker_of_buckets(uint32_t vocabulary, uint32_t buckets, bool quantized) {
  FifuMaker maker;
  maker.metadata = "a = 1\n";
  maker.vocabulary = vocabulary;
  maker.buckets = buckets;
  maker.quantized = quantized;
  maker.projection = quantized;
  maker.quantized_norms = quantized;
  return maker;
}

TEST(ExplicitNgramsJob, KeepsTheRowOfEveryNgram) {
  for (const bool quantized : {false, true}) {
    for (const auto& [vocabulary, buckets] : {std::pair{3U, 8U}, {3U, 2U}, {7U, 100U}, {7U, 1U}}) {
      FifuMaker maker = maker_of_buckets(vocabulary, buckets, quantized);
      const Read before = read_strictly(maker.make());
      const Read after = make_explicit(before.file);
      expect_same_rows(before, after);
      EXPECT_EQ(find_tensor(after.model, "quantized.codes") != nullptr, quantized);
      EXPECT_TRUE(after.model.metadata_text.empty());
    }
  }
}

TEST(ExplicitNgramsJob, GathersRowsInManyBlocks) {
  FifuMaker maker = maker_of(2000, 400);
  maker.vocabulary = 3;
  maker.buckets = 12;
  const Read before = read_strictly(with_rows(maker, made_up_rows(maker.rows() * maker.dims, 3)));
  expect_same_rows(before, make_explicit(before.file));
}

TEST(ExplicitNgramsJob, WarnsThatMetadataIsLeftOut) {
  FifuMaker maker = maker_of_buckets(3, 2, false);
  const File file = maker.make();
  std::vector<Error> warnings;
  ASSERT_TRUE(run(file, {}, to_explicit(), &warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().path, "metadata");
}

TEST(ExplicitNgramsJob, RejectsOtherKindsOfVocabulary) {
  for (const auto& [vocabulary, name] :
       {std::pair{1U, "simple"}, {8U, "explicit"}, {9U, "floret"}}) {
    FifuMaker maker = formats::finalfusion::testing::with_vocabulary(vocabulary);
    maker.norms = vocabulary != 9;
    const auto refused = run(maker.make(), {}, to_explicit());
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().path, "vocabulary");
    EXPECT_NE(refused.error().message.find(name), std::string::npos) << describe(refused.error());
  }
}

TEST(ExplicitNgramsJob, ExcludesOtherOptions) {
  Options options = to_explicit();
  options.reconstruct = true;
  FifuMaker maker = maker_of_buckets(3, 2, true);
  expect_refused(maker.make(), options, ErrorCode::BadValue, "options");
}

TEST(ExplicitNgramsJob, AcceptsOnlyFinalfusion) {
  Options options = to_explicit();
  options.from = "text";
  const std::string text = "a 1 2\n";
  expect_refused(File(text.begin(), text.end()), options, ErrorCode::Unsupported,
                 "options.explicit");
}

TEST(ExplicitNgramsJob, RejectsAWordWithTooManyNgrams) {
  FifuMaker maker = maker_of_buckets(3, 2, false);
  maker.max_n = 1000;
  maker.words.push_back(std::string(2000, 'x'));
  expect_refused(maker.make(), to_explicit(), ErrorCode::LimitExceeded, "vocabulary.words[3]");
}

class RealExplicit : public ::testing::TestWithParam<const char*> {};

// The files that the Python reference made from its own.
TEST_P(RealExplicit, MatchesTheReference) {
  AMBRY_NEEDS_DATA("finalfusion");
  const std::string name = GetParam();
  const auto source =
      real_file(name == "fasttext" ? "generated/fasttext.fifu" : "python/ff_buckets.fifu");
  const auto expected = real_file("generated/" + name + "_explicit.fifu");
  ASSERT_TRUE(source && expected);
  const Read made = make_explicit(*source);
  auto theirs = formats::testing::read(*expected, *formats::find_format("finalfusion"),
                                       {.strictness = io::Strictness::Lenient});
  ASSERT_TRUE(theirs.model) << theirs.text();
  const Read reference{std::move(*theirs.model), *expected};
  EXPECT_EQ(made.model.words, reference.model.words);
  EXPECT_EQ(made.floats("storage"), reference.floats("storage"));
  EXPECT_EQ(made.floats("norms"), reference.floats("norms"));
}

INSTANTIATE_TEST_SUITE_P(OfPython, RealExplicit, ::testing::Values("ff_buckets", "fasttext"));

}  // namespace
}  // namespace ambry::convert

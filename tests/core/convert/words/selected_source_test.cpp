#include "convert/words/selected_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "convert/finalfusion/vector_files.h"
#include "io/json/json.h"
#include "model/words/subword_lookup.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this room's own helpers
using List = std::vector<std::string>;

Options to_select(List words, bool ignore_unknown = false) {
  Options options;
  options.to = "finalfusion";
  options.select = WordSelection{std::move(words), ignore_unknown};
  return options;
}

Read select(const File& file, const Options& options) {
  const auto made = run(file, {}, options);
  EXPECT_TRUE(made) << describe(made.error());
  return made ? read_strictly(*made) : Read{};
}

std::string text_of(const File& file, Options options, std::string_view to) {
  options.to = to;
  const auto made = run(file, {}, options);
  EXPECT_TRUE(made) << describe(made.error());
  return made ? std::string(made->begin(), made->end()) : "";
}

List words_of(const Read& file) {
  List words;
  for (size_t i = 0; i < file.model.words->words.size(); ++i) {
    words.emplace_back(file.model.words->words[i]);
  }
  return words;
}

std::vector<float> row_of(const std::vector<float>& rows, size_t row, size_t dims) {
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(row * dims);
  return {begin, begin + static_cast<std::ptrdiff_t>(dims)};
}

FifuMaker bucket_maker() {
  FifuMaker maker = maker_of(50, 8);
  maker.vocabulary = 3;
  maker.buckets = 6;
  maker.norms = true;
  maker.metadata = "a = 1\n";
  return maker;
}

TEST(SelectedSource, KeepsRowsAndNormsInTheOrderOfTheList) {
  FifuMaker maker = bucket_maker();
  const File file = with_rows(maker, made_up_rows(maker.rows() * 8, 1));
  const Read before = read_strictly(file);
  const Read after = select(file, to_select({"w7", "w3", "w49", "w7", "w0"}));
  EXPECT_EQ(words_of(after), (List{"w7", "w3", "w49", "w0"}));
  EXPECT_EQ(after.model.words->kind, model::WordVocabularyKind::Simple);
  EXPECT_TRUE(after.model.metadata_text.empty());
  const std::vector<size_t> rows = {7, 3, 49, 0};
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(row_of(after.floats("storage"), i, 8), row_of(before.floats("storage"), rows[i], 8));
    EXPECT_EQ(after.floats("norms")[i], before.floats("norms")[rows[i]]);
  }
}

TEST(SelectedSource, AddsThePiecesOfUnknownWords) {
  FifuMaker maker = bucket_maker();
  const File file = with_rows(maker, made_up_rows(maker.rows() * 8, 2));
  const Read before = read_strictly(file);
  const Read after = select(file, to_select({"unseen", "w1"}));
  std::vector<float> sum(8);
  const std::vector<float> storage = before.floats("storage");
  const model::SubwordLookup pieces(*before.model.words);
  pieces.for_each("unseen", [&](std::string_view, std::span<const uint64_t> rows) {
    const std::vector<float> row = row_of(storage, rows.front(), 8);
    for (size_t i = 0; i < 8; ++i) sum[i] += row[i];
  });
  const float norm = tensor::normalize_word(sum);
  EXPECT_EQ(row_of(after.floats("storage"), 0, 8), sum);
  EXPECT_EQ(after.floats("norms")[0], norm);
  EXPECT_EQ(row_of(after.floats("storage"), 1, 8), row_of(storage, 1, 8));
}

TEST(SelectedSource, LeavesOutUnknownWordsOnlyOnRequest) {
  const File file = FifuMaker().make();
  expect_refused(file, to_select({"Berlin", "Bonn"}), ErrorCode::NotFound, "options.select");
  EXPECT_EQ(words_of(select(file, to_select({"Bonn", "Berlin"}, true))), (List{"Berlin"}));
  expect_refused(file, to_select({"Bonn"}, true), ErrorCode::NotFound, "options.select");
  expect_refused(file, to_select({}), ErrorCode::NotFound, "options.select");
}

TEST(SelectedSource, RejectsTextThatIsNotUtf8) {
  expect_refused(FifuMaker().make(), to_select({"Berlin", "\xFF"}), ErrorCode::BadValue,
                 "options.select[1]");
}

TEST(SelectedSource, WritesTextWithTheOriginalLengths) {
  FifuMaker maker;  // rows are unit vectors, norms 2, 3, 4
  maker.dims = 3;
  const Options options = to_select({"a b", "Berlin"});
  EXPECT_EQ(text_of(maker.make(), to_select({"Berlin"}), "textdims"), "1 3\nBerlin 2 0 0\n");
  EXPECT_EQ(text_of(maker.make(), to_select({"Berlin"}), "text"), "Berlin 2 0 0\n");
  Options no_place = options;
  no_place.to = "text";
  expect_refused(maker.make(), no_place, ErrorCode::Unsupported, "vocabulary.words[0]");
}

TEST(SelectedSource, UsesNormsOfOneWhenThereAreNone) {
  FifuMaker maker = maker_of(4, 2);
  const Read after = select(with_rows(maker, {3, 4, 1, 0, 0, 2, -1, -1}), to_select({"w2", "w0"}));
  EXPECT_EQ(after.floats("storage"), (std::vector<float>{0, 2, 3, 4}));
  EXPECT_EQ(after.floats("norms"), (std::vector<float>{1, 1}));
}

TEST(SelectedSource, ReconstructsQuantizedRows) {
  for (const bool projection : {false, true}) {
    FifuMaker maker;
    maker.vocabulary = 3;
    maker.dims = 6;
    maker.quantized = true;
    maker.projection = projection;
    maker.quantized_norms = true;
    const File file = maker.make();
    const auto dense_file = run(file, {}, to_dense());
    ASSERT_TRUE(dense_file);
    const List list = {"a b", "unseen", "Berlin"};
    const Read from_codes = select(file, to_select(list));
    const Read from_dense = select(*dense_file, to_select(list));
    EXPECT_EQ(from_codes.floats("storage"), from_dense.floats("storage"));
    EXPECT_EQ(from_codes.floats("norms"), from_dense.floats("norms"));
  }
}

TEST(SelectedSource, GathersManyWordsInBlocks) {
  FifuMaker maker = maker_of(6000, 400);
  const std::vector<float> rows = made_up_rows(maker.rows() * 400, 5);
  List list;
  for (size_t i = 0; i < 6000; ++i) list.push_back("w" + std::to_string(i * 7919 % 6000));
  const Read after = select(with_rows(maker, rows), to_select(list));
  const std::vector<float> made = after.floats("storage");
  ASSERT_EQ(made.size(), rows.size());
  for (size_t i = 0; i < 6000; ++i) {
    ASSERT_EQ(row_of(made, i, 400), row_of(rows, i * 7919 % 6000, 400)) << i;
  }
}

TEST(SelectedSource, AcceptsOnlyFinalfusion) {
  Options options = to_select({"a"});
  options.from = "text";
  const std::string text = "a 1 2\n";
  expect_refused(File(text.begin(), text.end()), options, ErrorCode::Unsupported, "options.select");
}

// Unknown words in the Python reference's own file.
TEST(SelectedSource, MatchesTheReferencesUnknownWords) {
  AMBRY_NEEDS_DATA("finalfusion");
  const auto file = real_file("python/ff_buckets.fifu");
  const auto answers_text = real_file("known_answers.json");
  ASSERT_TRUE(file && answers_text);
  const auto answers = io::parse_json(as_text(*answers_text), 0, "");
  ASSERT_TRUE(answers);
  const io::Json& expected = *answers->find("computed_by_reference_python")
                                  ->find("oov_embeddings")
                                  ->find("python/ff_buckets.fifu");
  const Read after = select(*file, to_select({"OOV", "one", "tübingen", "foo", "asd"}));
  EXPECT_EQ(words_of(after), (List{"OOV", "one", "tübingen", "foo", "asd"}));
  const std::vector<float> storage = after.floats("storage");
  for (const auto& [word, row] : {std::pair{"OOV", 0}, {"tübingen", 2}}) {
    const auto& numbers = expected.find(word)->items();
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(storage[static_cast<size_t>(row) * 5 + i], numbers[i].number(), 1e-6) << word;
    }
  }
  EXPECT_NEAR(after.floats("norms")[1], 0.11185, 1e-5);
}

}  // namespace
}  // namespace ambry::convert

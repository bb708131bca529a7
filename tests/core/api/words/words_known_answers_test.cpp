// Compares word vectors with the tests and results of the reference implementations
// (data/finalfusion/known_answers.json).
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "api/words/open_words.h"
#include "base/concat.h"
#include "data_files.h"
#include "infer/words/nearest_words.h"
#include "tensor/word_norm.h"

namespace ambry::api {
namespace {

using ambry::testing::data_file;
using io::Json;
using testing::File;
using testing::open_words;
using testing::Ranking;
using testing::ranking;
using testing::vector_of;
using testing::words_of;

class KnownWords : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("finalfusion");
    const auto file = data_file("finalfusion/known_answers.json");
    ASSERT_TRUE(file);
    auto parsed = io::parse_json(as_text(*file));
    ASSERT_TRUE(parsed) << describe(parsed.error());
    answers_ = std::move(*parsed);
  }

  // Follows the keys to a member.
  const Json& at(std::initializer_list<std::string_view> keys) const {
    const Json* here = &answers_;
    for (const std::string_view key : keys) {
      const Json* next = here->find(key);
      EXPECT_NE(next, nullptr) << key;
      if (next == nullptr) return answers_;
      here = next;
    }
    return *here;
  }

  static WordsModel open(std::string_view name) {
    auto session = open_words(*data_file(std::string("finalfusion/") + std::string(name)));
    EXPECT_TRUE(session) << name << ": " << describe(session.error());
    return std::move(*session);
  }

  static Ranking pairs(const Json& list) {
    Ranking hits;
    for (const Json& pair : list.items()) {
      hits.emplace_back(pair.items()[0].string(), pair.items()[1].number());
    }
    return hits;
  }

  static std::vector<std::string> texts(const Json& list) {
    std::vector<std::string> words;
    for (const Json& text : list.items()) words.push_back(text.string());
    return words;
  }

  static void expect_vector(const std::vector<float>& found, const Json& expected, double bound) {
    ASSERT_GE(found.size(), expected.items().size());
    for (size_t i = 0; i < expected.items().size(); ++i) {
      EXPECT_NEAR(found[i], expected.items()[i].number(), bound) << i;
    }
  }

  static std::string options_of(uint64_t k) { return "{\"k\": " + std::to_string(k) + "}"; }

  Json answers_;
};

TEST_F(KnownWords, NearestWordsHaveTheReferencesOrderAndScores) {
  for (const auto& [file, queries] :
       at({"computed_by_reference_python", "word_similarity"}).members()) {
    if (!file.ends_with(".fifu")) continue;
    const WordsModel session = open(file);
    for (const auto& [word, list] : queries.members()) {
      SCOPED_TRACE(concat({file, ": ", word}));
      const Ranking expected = pairs(list);
      testing::expect_near(ranking(session.similar(word, options_of(expected.size()))), expected,
                           1e-6);
    }
  }
}

// A model that fastText trained and the reference converted to this format.
TEST_F(KnownWords, UnknownWordsHaveTheReferencesNeighbours) {
  const WordsModel session = open("generated/fasttext.fifu");
  const Json& queries = at({"computed_by_reference_python", "word_similarity",
                            "rust/fasttext.bin (loaded, subwords averaged, l2-normalised)"});
  for (const auto& [word, list] : queries.members()) {
    SCOPED_TRACE(word);
    const Ranking expected = pairs(list);
    testing::expect_near(ranking(session.similar(word, options_of(expected.size()))), expected,
                         1e-6);
  }
}

TEST_F(KnownWords, QueriesByAVectorFindItsWordFirst) {
  const WordsModel session = open("python/similarity.fifu");
  const std::vector<float> berlin = vector_of(session, "Berlin");
  const auto found = ranking(session.similar_to(berlin, options_of(3)));
  testing::expect_near(
      found,
      pairs(at({"computed_by_reference_python", "embedding_similarity_Berlin_top3_incl_self"})),
      1e-6);
}

TEST_F(KnownWords, SimilarWordsHaveTheAssertedOrder) {
  for (const Json& row : at({"asserted", "word_similarity"}).items()) {
    const Json* order = row.find("order");
    if (order == nullptr || row.find("kind") != nullptr) continue;  // by vector; see above
    for (const Json& name : row.find("files")->items()) {
      const std::string file = name.string().substr(0, name.string().find(' '));
      if (!file.ends_with(".fifu") || file.find("pq") != std::string::npos) continue;
      SCOPED_TRACE(file);
      const auto expected = texts(*order);
      EXPECT_EQ(words_of(ranking(
                    open(file).similar(row.find("query")->string(), options_of(expected.size())))),
                expected);
    }
  }
}

TEST_F(KnownWords, AnalogiesHaveTheReferencesOrderAndScores) {
  const Json& files = at({"computed_by_reference_python", "analogy"});
  const auto check = [&](const WordsModel& session, std::string_view a, std::string_view b,
                         std::string_view c, const Json& list, std::string_view include) {
    const Ranking expected = pairs(list);
    const std::string options = "{\"k\": " + std::to_string(expected.size()) +
                                ", \"include\": " + std::string(include) + "}";
    testing::expect_near(ranking(session.analogy(a, b, c, options)), expected, 1e-6);
  };
  const WordsModel simple = open("python/simple_vocab.fifu");
  const Json& lists = *files.find("python/simple_vocab.fifu");
  check(simple, "Paris", "Frankreich", "Berlin", *lists.find("Paris Frankreich Berlin"), "[]");
  check(simple, "Paris", "Frankreich", "Paris", *lists.find("Paris Frankreich Paris skip={Paris}"),
        "[\"b\"]");
  check(simple, "Paris", "Frankreich", "Paris", *lists.find("Paris Frankreich Paris default skip"),
        "[]");
  check(simple, "Frankreich", "Frankreich", "Frankreich", *lists.find("Frankreich x3 skip={}"),
        "[\"a\", \"b\", \"c\"]");
  check(simple, "Frankreich", "Frankreich", "Frankreich", *lists.find("Frankreich x3 default skip"),
        "[]");
  check(open("generated/analogy_w2v_normalized.fifu"), "Paris", "Frankreich", "Berlin",
        *files.find("generated/analogy_w2v_normalized.fifu")->find("Paris Frankreich Berlin"),
        "[]");
}

TEST_F(KnownWords, MissingWordsOfAnAnalogyAreReported) {
  const WordsModel session = open("python/simple_vocab.fifu");
  const struct {
    const char* a;
    const char* b;
    const char* c;
    const char* path;
  } kQueries[] = {{"Foo", "Frankreich", "Berlin", "a"},
                  {"Paris", "Foo", "Berlin", "b"},
                  {"Paris", "Frankreich", "Foo", "c"},
                  {"Paris", "Bar", "Foo", "b"}};
  for (const auto& [a, b, c, path] : kQueries) {
    const auto answer = session.analogy(a, b, c, "{}");
    ASSERT_FALSE(answer);
    testing::expect_error(answer.error(), ErrorCode::NotFound, path);
  }
}

TEST_F(KnownWords, UnknownWordsHaveTheReferencesVectors) {
  const Json& files = at({"computed_by_reference_python", "oov_embeddings"});
  const WordsModel buckets = open("python/ff_buckets.fifu");
  for (const auto& [word, expected] : files.find("python/ff_buckets.fifu")->members()) {
    expect_vector(vector_of(buckets, word), expected, 1e-6);
  }
  const WordsModel fasttext = open("generated/fasttext.fifu");
  for (const auto& [word, expected] : files.find("rust/fasttext.bin first 5 dims")->members()) {
    expect_vector(vector_of(fasttext, word), expected, 1e-6);
  }
}

TEST_F(KnownWords, TheRowsOfUnknownWordsAreExplained) {
  const WordsModel session = open("python/ff_buckets.fifu");
  const Json& words =
      at({"computed_by_reference_python", "oov_embeddings", "ff_buckets_oov_indices"});
  for (const auto& [word, expected] : words.members()) {
    const auto text = session.explain(word);
    ASSERT_TRUE(text) << describe(text.error());
    const auto found = io::parse_json(*text);
    EXPECT_EQ(found->find("found")->string(), "subwords");
    EXPECT_TRUE(found->find("row")->is_null());
    std::vector<uint64_t> rows;
    for (const Json& ngram : found->find("ngrams")->items()) {
      EXPECT_TRUE(ngram.find("known")->boolean());
      for (const Json& row : ngram.find("rows")->items()) rows.push_back(row.uint());
    }
    std::vector<uint64_t> reference;
    for (const Json& row : expected.items()) reference.push_back(row.uint());
    EXPECT_EQ(rows, reference) << word;
  }
}

TEST_F(KnownWords, KnownWordsHaveTheReferencesVectorsAndNorms) {
  const Json& files = at({"computed_by_reference_python", "known_embeddings_first5"});
  const WordsModel fasttext = open("generated/fasttext.fifu");
  for (const auto& [word, expected] : files.find("rust/fasttext.bin")->members()) {
    expect_vector(vector_of(fasttext, word), expected.items()[0], 1e-6);
    const auto batch = fasttext.vectors(concat({"[\"", word, "\"]"}), false);
    EXPECT_NEAR(batch->norms[0], expected.items()[1].number(), 1e-6);
  }
  for (const char* file : {"python/pq.fifu", "rust/quantized.fifu"}) {
    expect_vector(vector_of(open(file), "Berlin"), *files.find(file)->find("Berlin"), 1e-6);
  }
  const auto norms = open("python/ff_buckets.fifu").vectors("[\"one\", \"</s>\"]", false);
  const Json& expected = at({"computed_by_reference_python", "ff_buckets_norms"});
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(norms->norms[i], static_cast<float>(expected.items()[i].number()));
  }
}

TEST_F(KnownWords, QuantizedRowsAreReconstructedWithProjectionAndNorms) {
  for (const auto& [name, words] :
       at({"computed_by_reference_python", "quantized_generated"}).members()) {
    const WordsModel session = open(concat({"generated/", name, ".fifu"}));
    for (const auto& [word, expected] : words.members()) {
      SCOPED_TRACE(concat({name, " ", word}));
      expect_vector(vector_of(session, word), expected, 1e-6);
    }
  }
}

// Only here the reference's order of summation is visible bit by bit: normalized raw rows equal
// those that Rust wrote.
TEST_F(KnownWords, NormalizingRawVectorsMatchesRustExactly) {
  const WordsModel raw = open("rust/similarity.fifu");
  const WordsModel unit = open("python/similarity.fifu");
  size_t n_equal = 0;
  const auto words = io::parse_json(raw.list(0, 100));
  for (const Json& word : words->items()) {
    std::vector<float> vector = vector_of(raw, word.string());
    tensor::normalize_word(vector);
    const std::vector<float> expected = vector_of(unit, word.string());
    for (size_t i = 0; i < vector.size(); ++i) n_equal += vector[i] == expected[i] ? 1U : 0U;
  }
  EXPECT_EQ(n_equal, 4100U);
}

TEST_F(KnownWords, NormsUndoTheNormalization) {
  const WordsModel raw = open("rust/similarity.fifu");
  const WordsModel unit = open("generated/similarity_w2v_normalized.fifu");
  for (const char* word : {"Berlin", "Stuttgart"}) {
    const auto expected = vector_of(raw, word);
    const auto found = vector_of(unit, word, true);
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
  }
}

TEST_F(KnownWords, QuantizedVectorsAreCloseToTheOriginals) {
  const WordsModel quantized = open("python/pq.fifu");
  const WordsModel original = open("python/pq-check.fifu");
  const auto words = io::parse_json(original.list(0, 100));
  for (const Json& word : words->items()) {
    const auto expected = vector_of(original, word.string());
    const auto found = vector_of(quantized, word.string());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 0.05);
  }
}

TEST_F(KnownWords, FloretMatchesItsTrainersVectors) {
  const WordsModel session = open("generated/constructed_floret_small.fifu");
  const File check = *data_file("finalfusion/rust/floret_small_check.dims");
  std::istringstream lines{std::string(as_text(check))};
  size_t n_words = 0;
  size_t dim = 0;
  lines >> n_words >> dim;
  ASSERT_EQ(n_words, 10U);
  for (size_t i = 0; i < n_words; ++i) {
    std::string word;
    lines >> word;
    std::vector<float> expected(dim);
    for (float& x : expected) lines >> x;
    tensor::normalize_word(expected);
    const auto found = vector_of(session, word);
    for (size_t j = 0; j < dim; ++j) EXPECT_NEAR(found[j], expected[j], 1e-4) << word;
  }
}

TEST_F(KnownWords, BatchesReportWhichWordsAreKnown) {
  const auto batch =
      open("generated/similarity_w2v_normalized.fifu")
          .vectors(R"(["Berlin","Bremen","Groningen","Bremen","Berlin","Amsterdam"])", false);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->found, (std::vector<uint8_t>{1, 1, 0, 1, 1, 0}));
  for (const float x : batch->rows().subspan(200, 100)) EXPECT_EQ(x, 0.0F);
  EXPECT_EQ(batch->norms[2], 0.0F);
}

TEST_F(KnownWords, AngularSimilarityMatchesTheReference) {
  const Json& rows = at({"asserted", "similarity_conversions", "angular"});
  for (const Json& pair : rows.items()) {
    const auto cosine = static_cast<float>(pair.items()[0].number());
    EXPECT_NEAR(infer::angular_similarity(cosine), pair.items()[1].number(), 1e-5);
  }
  EXPECT_EQ(infer::angular_similarity(1.0000002F), 1.0F);
}

}  // namespace
}  // namespace ambry::api

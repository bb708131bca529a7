// Tests with the reference programs' own files and answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "convert/words/run_words.h"
#include "data_files.h"
#include "io/json/json.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ambry::testing::data_file;

class RealWords : public ::testing::Test {
 protected:
  void SetUp() override { AMBRY_NEEDS_DATA("finalfusion", "wordvec"); }
};

const std::string kRust = "finalfusion/rust/";
const std::string kPython = "finalfusion/python/";
const std::string kGenerated = "finalfusion/generated/";

TEST_F(RealWords, OfWord2VecMatchTheReferencesUnitVectorsExactly) {
  const Fifu made = read_fifu(
      convert_words(*data_file(kRust + "similarity.bin"), from_to("word2vec", "finalfusion")));
  const Fifu wanted = read_fifu(*data_file(kPython + "similarity.fifu"), io::Strictness::Lenient);
  EXPECT_EQ(made.words, wanted.words);
  EXPECT_EQ(made.words.size(), 41U);
  EXPECT_EQ(made.values, wanted.values);
  const Fifu numpy =
      read_fifu(*data_file(kGenerated + "similarity_w2v_normalized.fifu"), io::Strictness::Lenient);
  EXPECT_LT(max_difference(made.norms, numpy.norms), 4e-6F);
}

TEST_F(RealWords, AreTheSameInAllThreeForms) {
  const File binary =
      convert_words(*data_file(kRust + "similarity.bin"), from_to("word2vec", "finalfusion"));
  EXPECT_EQ(convert_words(*data_file(kRust + "similarity.txt"), from_to("textdims", "finalfusion")),
            binary);
  EXPECT_EQ(convert_words(*data_file(kRust + "similarity.nodims"), from_to("text", "finalfusion")),
            binary);
}

TEST_F(RealWords, AreRecognizedByTheirContent) {
  const File binary =
      convert_words(*data_file(kRust + "similarity.bin"), from_to("", "finalfusion"));
  EXPECT_EQ(binary.size(), 17172U);
  for (const char* name : {"similarity.txt", "similarity.nodims"}) {
    EXPECT_EQ(convert_words(*data_file(kRust + name), from_to("", "finalfusion")), binary) << name;
  }
  EXPECT_FALSE(
      convert_words(*data_file(kRust + "fasttext.bin"), from_to("", "finalfusion")).empty());
  EXPECT_FALSE(
      convert_words(*data_file(kRust + "floret_small.txt"), from_to("", "finalfusion")).empty());
}

TEST_F(RealWords, RoundTripByteForByte) {
  const File binary = *data_file(kRust + "similarity.bin");
  const File fifu = *data_file(kRust + "similarity.fifu");
  EXPECT_EQ(convert_words(fifu, from_to("finalfusion", "word2vec")), binary);
  EXPECT_EQ(convert_words(fifu, from_to("finalfusion", "text")),
            *data_file(kRust + "similarity.nodims"));
  EXPECT_EQ(convert_words(fifu, from_to("finalfusion", "textdims")),
            *data_file(kRust + "similarity.txt"));
  EXPECT_EQ(convert_words(binary, unnormalized(from_to("word2vec", "text"))),
            *data_file(kRust + "similarity.nodims"));
  EXPECT_EQ(convert_words(*data_file(kRust + "similarity.txt"),
                          unnormalized(from_to("textdims", "word2vec"))),
            binary);
}

TEST_F(RealWords, GetTheirOriginalLengthsOnRequest) {
  const File fifu =
      convert_words(*data_file(kRust + "similarity.bin"), from_to("word2vec", "finalfusion"));
  const File back = convert_words(fifu, unnormalized(from_to("finalfusion", "word2vec")));
  const File raw = *data_file(kRust + "similarity.bin");
  ASSERT_EQ(back.size(), raw.size());
  // Raw files that are read as normalized vectors and their norms.
  const Fifu a = read_fifu(convert_words(back, from_to("word2vec", "finalfusion")));
  const Fifu b = read_fifu(fifu);
  EXPECT_LT(max_difference(a.values, b.values), 2e-7F);
  EXPECT_LT(max_difference(a.norms, b.norms), 4e-6F);
  const auto unit = run_words(fifu, from_to("finalfusion", "word2vec"));
  ASSERT_TRUE(unit);
  ASSERT_EQ(unit->warnings.size(), 1U);
  EXPECT_EQ(unit->warnings[0].path, "norms");
}

TEST_F(RealWords, OfThePythonPackageAgreeInAllFourForms) {
  const Fifu wanted = read_fifu(*data_file(kPython + "embeddings.fifu"), io::Strictness::Lenient);
  const Fifu text = read_fifu(
      convert_words(*data_file(kPython + "embeddings.txt"), from_to("text", "finalfusion")));
  const Fifu dims = read_fifu(convert_words(*data_file(kPython + "embeddings.dims.txt"),
                                            from_to("textdims", "finalfusion")));
  EXPECT_EQ(text.words,
            (std::vector<std::string>{"one", "two", "three", "four", "five", "six", "seven"}));
  EXPECT_LT(max_difference(text.values, wanted.values), 1e-7F);
  EXPECT_LT(max_difference(text.norms, wanted.norms), 1e-6F);
  EXPECT_EQ(dims.values, text.values);
  const Fifu binary = read_fifu(
      convert_words(*data_file(kPython + "embeddings.w2v"), from_to("word2vec", "finalfusion")));
  EXPECT_EQ(binary.words, text.words);
  EXPECT_LT(max_difference(binary.values, wanted.values), 1.2e-7F);
}

TEST_F(RealWords, OfFastTextMatchTheReferencesMeans) {
  const Fifu made = read_fifu(
      convert_words(*data_file(kRust + "fasttext.bin"), from_to("fasttext", "finalfusion")));
  const Fifu wanted = read_fifu(*data_file(kGenerated + "fasttext.fifu"), io::Strictness::Lenient);
  EXPECT_EQ(made.words, wanted.words);
  EXPECT_EQ(made.words.size(), 157U);
  EXPECT_EQ(made.dims, 50U);
  EXPECT_EQ(made.model.words, wanted.model.words);
  for (size_t i = 0; i < made.words.size(); ++i) {
    if (made.words[i] == "</s>") continue;  // the reference gives it n-grams, and fastText none
    EXPECT_LT(max_difference(made.row(i), wanted.row(i)), 3e-7F) << made.words[i];
    EXPECT_NEAR(made.norms[i], wanted.norms[i], 3e-7F) << made.words[i];
  }
  const auto n_words = static_cast<std::ptrdiff_t>(made.words.size() * made.dims);
  EXPECT_TRUE(std::equal(made.values.begin() + n_words, made.values.end(),
                         wanted.values.begin() + n_words, wanted.values.end()));
  EXPECT_EQ(made.model.metadata.find("min_n")->uint(), 3U);
  EXPECT_EQ(made.model.metadata.find("model")->string(), "SkipGram");
  EXPECT_EQ(made.model.metadata.find("sampling_threshold")->number(), 0.0001);
}

TEST_F(RealWords, OfFastTextHaveTheReferencesNeighbours) {
  const Fifu made = read_fifu(
      convert_words(*data_file(kRust + "fasttext.bin"), from_to("fasttext", "finalfusion")));
  const auto row_of = [&](std::string_view word) {
    return made.row(static_cast<size_t>(std::ranges::find(made.words, word) - made.words.begin()));
  };
  const std::vector<float> query = row_of("über");
  EXPECT_NEAR(tensor::word_dot(query, row_of("auf")), 0.568513, 1e-6);
  EXPECT_NEAR(tensor::word_dot(query, row_of("vor")), 0.551551, 1e-6);
  EXPECT_NEAR(tensor::word_dot(query, row_of("durch")), 0.547349, 1e-6);
}

TEST_F(RealWords, OfFastTextRoundTrip) {
  const File original = *data_file(kRust + "fasttext.bin");
  const File fifu = convert_words(original, from_to("fasttext", "finalfusion"));
  const File back = convert_words(fifu, from_to("finalfusion", "fasttext"));
  const Fifu twice = read_fifu(convert_words(back, from_to("fasttext", "finalfusion")));
  const Fifu once = read_fifu(fifu);
  EXPECT_EQ(twice.model.words, once.model.words);
  EXPECT_LT(max_difference(twice.values, once.values), 1e-6F);
  EXPECT_LT(max_difference(twice.norms, once.norms), 1e-6F);
}

TEST_F(RealWords, OfFloretRoundTripByteForByte) {
  for (const char* name : {"floret_small.txt", "floret_square_brackets.txt"}) {
    File original = *data_file(kRust + name);
    const Fifu made = read_fifu(convert_words(original, from_to("floret", "finalfusion")));
    EXPECT_EQ(made.model.words->n_hashes, 2U);
    EXPECT_TRUE(made.norms.empty());
    if (original.back() != '\n') original.push_back('\n');
    EXPECT_EQ(convert_words(convert_words(original, from_to("floret", "finalfusion")),
                            from_to("finalfusion", "floret")),
              original)
        << name;
  }
  EXPECT_EQ(convert_words(*data_file(kRust + "floret_small.txt"), from_to("floret", "finalfusion")),
            *data_file(kGenerated + "constructed_floret_small.fifu"));
}

TEST_F(RealWords, ThatAreNotUtf8AreShownWithAReplacement) {
  const std::pair<const char*, const char*> kFiles[] = {{"utf8-incomplete.bin", "word2vec"},
                                                        {"utf8-incomplete.txt", "text"},
                                                        {"utf8-incomplete.dims", "textdims"}};
  for (const auto& [name, form] : kFiles) {
    const File file = *data_file(kRust + name);
    const auto made = run_words(file, from_to(form, "finalfusion"));
    ASSERT_TRUE(made);
    EXPECT_EQ(read_fifu(made->file).words,
              (std::vector<std::string>{"meren", "zee\xEF\xBF\xBDn", "rivieren"}));
    ASSERT_EQ(made->warnings.size(), 1U);
  }
}

TEST_F(RealWords, AreReadWithoutLineFeedsBetweenThem) {
  const Fifu made =
      read_fifu(convert_words(*data_file("wordvec/bpemb/en.wiki.bpe.vs1000.d25.w2v.bin"),
                              from_to("word2vec", "finalfusion")));
  EXPECT_EQ(made.words.size(), 1000U);
  EXPECT_EQ(made.dims, 25U);
}

TEST_F(RealWords, OfGloVeRoundTripExactly) {
  const File text = *data_file("wordvec/glove-twitter-25d-12k/glove.twitter.27B.25d.top12k.txt");
  const File binary = convert_words(text, unnormalized(from_to("text", "word2vec")));
  const File back = convert_words(binary, unnormalized(from_to("word2vec", "text")));
  EXPECT_EQ(read_fifu(convert_words(text, from_to("", "finalfusion"))).words.size(), 11925U);
  EXPECT_EQ(convert_words(back, from_to("text", "finalfusion")),
            convert_words(text, from_to("text", "finalfusion")));
}

TEST_F(RealWords, ThatAreQuantizedAreReconstructed) {
  const Fifu exact = read_fifu(*data_file(kPython + "pq-check.fifu"), io::Strictness::Lenient);
  const File binary =
      convert_words(*data_file(kPython + "pq.fifu"), from_to("finalfusion", "word2vec"));
  const Fifu made = read_fifu(convert_words(binary, from_to("word2vec", "finalfusion")));
  EXPECT_EQ(made.words, exact.words);
  EXPECT_LT(max_difference(made.values, exact.values), 0.05F);
}

TEST_F(RealWords, OfEveryQuantizerMatchTheReferencesRows) {
  const File text = *data_file("finalfusion/known_answers.json");
  const auto known = io::parse_json(text_of(text));
  ASSERT_TRUE(known);
  const io::Json& answers =
      *known->find("computed_by_reference_python")->find("quantized_generated");
  ASSERT_EQ(answers.members().size(), 4U);
  for (const auto& [name, rows] : answers.members()) {
    const File file = *data_file(kGenerated + name + ".fifu");
    const File raw = convert_words(file, from_to("finalfusion", "word2vec"));
    const Fifu made = read_fifu(convert_words(raw, from_to("word2vec", "finalfusion")));
    for (const auto& [word, values] : rows.members()) {
      const auto at = static_cast<size_t>(std::ranges::find(made.words, word) - made.words.begin());
      ASSERT_LT(at, made.words.size()) << word;
      for (size_t i = 0; i < made.dims; ++i) {
        EXPECT_NEAR(made.row(at)[i] * made.norms[at], values.items()[i].number(), 5e-7) << name;
      }
    }
  }
}

TEST_F(RealWords, LeaveOutNgramsOnlyOnRequest) {
  const File fifu = *data_file(kGenerated + "fasttext.fifu");
  const Error error = words_error(fifu, from_to("finalfusion", "word2vec"));
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, "vocabulary");
  const auto made = run_words(fifu, lossy(from_to("finalfusion", "word2vec")));
  ASSERT_TRUE(made);
  const Fifu words = read_fifu(convert_words(made->file, from_to("word2vec", "finalfusion")));
  EXPECT_EQ(words.words, read_fifu(fifu, io::Strictness::Lenient).words);
  const Error buckets =
      words_error(*data_file(kPython + "ff_buckets.fifu"), from_to("finalfusion", "fasttext"));
  EXPECT_EQ(buckets.code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::convert

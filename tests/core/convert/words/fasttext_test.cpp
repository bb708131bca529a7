// Compares models of fastText's own program with its answers (tests/reference/), and reads files
// with one fault each.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "convert/words/make_fasttext.h"
#include "convert/words/matrix_source.h"
#include "convert/words/open_matrix.h"
#include "convert/words/run_words.h"
#include "io/json/json.h"
#include "model/words/subwords.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

const Options kToFifu = from_to("fasttext", "finalfusion");

// fastText's answers for a model.
struct Answers {
  std::vector<std::string> words;
  std::vector<std::string> labels;
  std::map<std::string, std::vector<float>> vectors;
};

Answers answers_for(const std::string& name) {
  const auto json = io::parse_json(text_of(fasttext_fixture("answers.json")));
  EXPECT_TRUE(json);
  const io::Json& model = *json->find(name);
  Answers answers;
  for (const io::Json& word : model.find("words")->items()) answers.words.push_back(word.string());
  for (const io::Json& label : model.find("labels")->items()) {
    answers.labels.push_back(label.string());
  }
  for (const auto& [word, values] : model.find("vectors")->members()) {
    for (const io::Json& value : values.items()) {
      answers.vectors[word].push_back(static_cast<float>(value.number()));
    }
  }
  return answers;
}

// The vector that finalfusion gives an unknown word: the normalized sum of its n-grams.
std::vector<float> vector_of_ngrams(const Fifu& fifu, const std::string& word) {
  const model::WordVocabulary& words = *fifu.model.words;
  std::vector<float> sum(fifu.dims);
  model::for_each_ngram("<" + word + ">", words.min_n, words.max_n, [&](std::string_view ngram) {
    const std::vector<float> row =
        fifu.row(words.n_words + model::fasttext_hash(ngram) % words.n_buckets);
    for (size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
  });
  tensor::normalize_word(sum);
  return sum;
}

void expect_answers(const std::string& name, size_t n_warnings) {
  SCOPED_TRACE(name);
  const Answers answers = answers_for(name);
  const auto made = run_words(fasttext_fixture(name), from_to("", "finalfusion"));
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->warnings.size(), n_warnings);
  const Fifu fifu = read_fifu(made->file);
  EXPECT_EQ(fifu.words, answers.words);
  for (size_t i = 0; i < fifu.words.size(); ++i) {
    std::vector<float> row = fifu.row(i);
    for (float& value : row) value *= fifu.norms[i];
    EXPECT_LT(max_difference(row, answers.vectors.at(fifu.words[i])), 3e-7F) << fifu.words[i];
  }
  if (fifu.model.words->n_buckets == 0) return;
  for (const char* unknown : {"hausmaus", "überhaus", "日本人", "zzz"}) {
    std::vector<float> wanted = answers.vectors.at(unknown);
    tensor::normalize_word(wanted);
    EXPECT_LT(max_difference(vector_of_ngrams(fifu, unknown), wanted), 1e-6F) << unknown;
  }
}

TEST(FastTextWords, MatchFastTextsVectors) { expect_answers("skipgram.bin", 0); }

TEST(FastTextWords, OfAClassifierLoseItsLabels) {
  expect_answers("plain.bin", 1);
  const auto made = run_words(fasttext_fixture("plain.bin"), kToFifu);
  ASSERT_TRUE(made);
  EXPECT_EQ(read_fifu(made->file).model.words->kind, model::WordVocabularyKind::Simple);
  const Answers answers = answers_for("plain.bin");
  ASSERT_EQ(answers.labels.size(), 2U);
  EXPECT_EQ(made->warnings[0].path, "dictionary.labels");
  for (const std::string& label : answers.labels) {
    EXPECT_NE(made->warnings[0].message.find(label), std::string::npos)
        << made->warnings[0].message;
  }
}

TEST(FastTextWords, ThatAreQuantizedAreReconstructed) { expect_answers("labels.ftz", 1); }

TEST(FastTextWords, PrunedBucketsGetRowsOfZeros) {
  expect_answers("pruned.ftz", 2);
  const auto made = run_words(fasttext_fixture("pruned.ftz"), kToFifu);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings[1].path, "dictionary.pruneidx");
  EXPECT_EQ(read_fifu(made->file).model.words->n_buckets, 400U);
}

TEST(FastTextWords, NeedALossyConversionToDropNgrams) {
  for (const char* to : {"word2vec", "text", "textdims"}) {
    expect_error(fasttext_fixture("skipgram.bin"), from_to("fasttext", to), ErrorCode::Unsupported,
                 "vocabulary");
  }
  const auto made =
      run_words(fasttext_fixture("skipgram.bin"), unnormalized(lossy(from_to("fasttext", "text"))));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings.size(), 1U);
  const Fifu words = read_fifu(convert_words(made->file, from_to("text", "finalfusion")));
  const Fifu whole = read_fifu(convert_words(fasttext_fixture("skipgram.bin"), kToFifu));
  EXPECT_EQ(words.words, whole.words);
  EXPECT_EQ(words.norms, whole.norms);
}

TEST(FastTextWords, RoundTripAsAModel) {
  const File fifu = convert_words(fasttext_fixture("skipgram.bin"), kToFifu);
  const auto back = run_words(fifu, from_to("finalfusion", "fasttext"));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->warnings.size(), 1U);
  EXPECT_EQ(back->warnings[0].path, "metadata");
  const Fifu again = read_fifu(convert_words(back->file, kToFifu));
  const Fifu once = read_fifu(fifu);
  EXPECT_EQ(again.model.words, once.model.words);
  EXPECT_LT(max_difference(again.values, once.values), 1e-6F);
  EXPECT_LT(max_difference(again.norms, once.norms), 1e-6F);
}

// All rows of a source that reads in blocks of this many values.
std::vector<float> rows_in_blocks(const File& file, const Options& options, uint64_t block_values) {
  const io::MemorySource main(file);
  const SideFiles none;
  const SourceFiles sources(main, none);
  auto matrix = options.from == "fasttext" ? open_fasttext(sources, options)
                                           : open_finalfusion(sources, options);
  EXPECT_TRUE(matrix);
  MatrixSource source(std::move(*matrix), block_values);
  std::vector<float> all;
  for (;;) {
    const auto step = source.advance();
    EXPECT_TRUE(step);
    using Kind = WordSource::Advance::Kind;
    if (!step || step->kind == Kind::End) return all;
    if (step->kind == Kind::Rows) all.insert(all.end(), step->rows.begin(), step->rows.end());
    if (step->kind != Kind::Read) continue;
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(step->offset), step->target.size(),
                step->target.begin());
  }
}

TEST(FastTextWords, DoNotDependOnTheBlockSize) {
  const Options back = from_to("finalfusion", "fasttext");
  const std::pair<File, Options> kCases[] = {
      {fasttext_fixture("skipgram.bin"), kToFifu},
      {fasttext_fixture("labels.ftz"), kToFifu},
      {fasttext_fixture("pruned.ftz"), kToFifu},
      {fasttext_fixture("plain.bin"), kToFifu},
      {convert_words(fasttext_fixture("skipgram.bin"), kToFifu), back}};
  for (const auto& [file, options] : kCases) {
    const std::vector<float> whole = rows_in_blocks(file, options, kBlockValues);
    // One row a block makes groups of 12 words; 14 words need two.
    for (const uint64_t block_values : {1U, 3U, 7U, 15U, 100U}) {
      EXPECT_LT(max_difference(rows_in_blocks(file, options, block_values), whole), 1e-6F);
    }
  }
}

}  // namespace
}  // namespace ambry::convert

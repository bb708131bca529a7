// fastText models: those of fastText's own program against its own answers (tests/reference/), and
// files with one fault each.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "convert/words/matrix_source.h"
#include "convert/words/open_matrix.h"
#include "convert/words/run_words.h"
#include "io/byte_writer.h"
#include "io/json.h"
#include "model/subwords.h"
#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

const Options kToFifu = from_to("fasttext", "finalfusion");

File fixture(const std::string& name) {
  std::ifstream in(AMBRY_FIXTURES "/fasttext/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What fastText says of a model.
struct Answers {
  std::vector<std::string> words;
  std::vector<std::string> labels;
  std::map<std::string, std::vector<float>> vectors;
};

Answers answers_for(const std::string& name) {
  const auto json = io::parse_json(text_of(fixture("answers.json")));
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

// What finalfusion makes of a word that is not in the vocabulary: the sum of its n-grams, brought
// to length 1.
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
  const auto made = run_words(fixture(name), from_to("", "finalfusion"));
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->warnings.size(), n_warnings);
  const Fifu fifu = read_fifu(made->file);
  EXPECT_EQ(fifu.words, answers.words);
  for (size_t i = 0; i < fifu.words.size(); ++i) {
    // fastText takes no n-grams of the end of a sentence, finalfusion takes those of every word.
    if (fifu.words[i] == "</s>" && fifu.model.words->n_buckets > 0) continue;
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

TEST(FastTextWords, AreTheVectorsThatFastTextGives) { expect_answers("skipgram.bin", 0); }

TEST(FastTextWords, OfAClassifierComeWithoutItsLabels) {
  expect_answers("plain.bin", 1);
  const auto made = run_words(fixture("plain.bin"), kToFifu);
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

TEST(FastTextWords, ThatArePrunedGetRowsOfZeros) {
  expect_answers("pruned.ftz", 2);
  const auto made = run_words(fixture("pruned.ftz"), kToFifu);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings[1].path, "dictionary.pruneidx");
  EXPECT_EQ(read_fifu(made->file).model.words->n_buckets, 400U);
}

TEST(FastTextWords, NeedALossyConversionWhereNgramsHaveNoPlace) {
  for (const char* to : {"word2vec", "text", "textdims"}) {
    expect_error(fixture("skipgram.bin"), from_to("fasttext", to), ErrorCode::Unsupported,
                 "vocabulary");
  }
  const auto made =
      run_words(fixture("skipgram.bin"), unnormalized(lossy(from_to("fasttext", "text"))));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings.size(), 1U);
  const Fifu words = read_fifu(convert_words(made->file, from_to("text", "finalfusion")));
  const Fifu whole = read_fifu(convert_words(fixture("skipgram.bin"), kToFifu));
  EXPECT_EQ(words.words, whole.words);
  EXPECT_EQ(words.norms, whole.norms);
}

TEST(FastTextWords, ComeBackAsAModel) {
  const File fifu = convert_words(fixture("skipgram.bin"), kToFifu);
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

// All rows of a source that reads in blocks of so many numbers.
std::vector<float> rows_in_blocks(const File& file, const Options& options, uint64_t block_values) {
  const io::MemorySource main(file);
  const SideFiles none;
  const Sources sources(main, none);
  auto matrix =
      options.from == "fasttext" ? open_fasttext(sources, options) : open_fifu(sources, options);
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

TEST(FastTextWords, AreTheSameInBlocksOfAnySize) {
  const Options back = from_to("finalfusion", "fasttext");
  const std::pair<File, Options> kCases[] = {
      {fixture("skipgram.bin"), kToFifu},
      {fixture("labels.ftz"), kToFifu},
      {fixture("pruned.ftz"), kToFifu},
      {fixture("plain.bin"), kToFifu},
      {convert_words(fixture("skipgram.bin"), kToFifu), back}};
  for (const auto& [file, options] : kCases) {
    const std::vector<float> whole = rows_in_blocks(file, options, kBlockValues);
    // One row a block makes groups of 12 words; 14 words need two.
    for (const uint64_t block_values : {1U, 3U, 7U, 15U, 100U}) {
      EXPECT_LT(max_difference(rows_in_blocks(file, options, block_values), whole), 1e-6F);
    }
  }
}

// A model as a test wants it; the fields that are not set make sense.
struct Maker {
  uint32_t magic = 793'712'314;
  uint32_t version = 12;
  uint32_t dims = 2;
  uint32_t word_ngrams = 1;
  uint32_t loss = 2;
  uint32_t kind = 2;
  uint32_t bucket = 4;
  uint32_t min_n = 2;
  uint32_t max_n = 3;
  double threshold = 1e-4;
  std::vector<std::pair<std::string, uint8_t>> entries = {{"a", 0}, {"bc", 0}};
  uint32_t n_words = 2;
  uint32_t n_labels = 0;
  int64_t pruned = -1;
  std::vector<std::pair<uint32_t, uint32_t>> kept;
  uint8_t quantized = 0;
  uint64_t rows = 6;
  uint64_t cols = 2;
  std::vector<float> values;

  [[nodiscard]] File make() const {
    io::ByteWriter out;
    for (const uint32_t field : {magic, version, dims, 5U, 2U, 1U, 5U, word_ngrams, loss, kind,
                                 bucket, min_n, max_n, 100U}) {
      out.put(field);
    }
    out.put(threshold);
    out.put(static_cast<uint32_t>(entries.size()));
    out.put(n_words);
    out.put(n_labels);
    out.put(int64_t{10});
    out.put(pruned);
    for (const auto& [word, type] : entries) {
      out.put_text(word);
      out.put(uint8_t{0});
      out.put(int64_t{1});
      out.put(type);
    }
    for (const auto& [bucket_at, row] : kept) {
      out.put(bucket_at);
      out.put(row);
    }
    out.put(quantized);
    out.put(rows);
    out.put(cols);
    for (uint64_t i = 0; i < rows * cols && i < 1000; ++i) {
      out.put(i < values.size() ? values[i] : static_cast<float>(i) + 1);
    }
    return out.take();
  }
};

TEST(FastTextWords, AreMadeOfTheirRows) {
  Maker maker;
  // "<a>" has the 2-grams "<a" and "a>" and itself, "<bc>" five n-grams.
  const Fifu made = read_fifu(convert_words(maker.make(), kToFifu));
  const auto row_of = [](uint32_t bucket) {
    return std::vector<float>{5.0F + 2.0F * static_cast<float>(bucket),
                              6.0F + 2.0F * static_cast<float>(bucket)};
  };
  std::vector<float> sum = {1, 2};
  for (const char* ngram : {"<a>", "<a", "a>"}) {
    const std::vector<float> row = row_of(model::fasttext_hash(ngram) % 4);
    sum[0] += row[0];
    sum[1] += row[1];
  }
  EXPECT_FLOAT_EQ(made.values[0] * made.norms[0], sum[0] / 4);
  EXPECT_FLOAT_EQ(made.values[1] * made.norms[0], sum[1] / 4);
  EXPECT_EQ(made.row(2), row_of(0));
  EXPECT_EQ(made.row(5), row_of(3));
}

TEST(FastTextWords, OfOldClassifiersHaveNoNgrams) {
  Maker maker;
  maker.version = 11;
  maker.kind = 3;
  expect_error(maker.make(), kToFifu, ErrorCode::Unsupported, "header.wordNgrams");
  const auto made = run_words(maker.make(), lossy(kToFifu));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(read_fifu(made->file).values.size(), 4U);
}

TEST(FastTextWords, OfModelsWithNgramsOfWordsComeWithAWarning) {
  Maker maker;
  maker.word_ngrams = 2;
  const auto made = run_words(maker.make(), kToFifu);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].path, "header.wordNgrams");
}

TEST(FastTextWords, PrunedToNothingAreWordsAlone) {
  Maker maker;
  maker.pruned = 0;
  maker.rows = 2;
  EXPECT_EQ(read_fifu(convert_words(maker.make(), kToFifu)).model.words->kind,
            model::WordVocabularyKind::Simple);
}

TEST(FastTextWords, PrunedKeepTheirBucketsPlaces) {
  Maker maker;
  maker.pruned = 2;
  maker.kept = {{1, 1}, {3, 0}};
  maker.rows = 4;
  const Fifu made = read_fifu(convert_words(maker.make(), kToFifu));
  EXPECT_EQ(made.row(2), (std::vector<float>{0, 0}));
  EXPECT_EQ(made.row(3), (std::vector<float>{7, 8}));
  EXPECT_EQ(made.row(4), (std::vector<float>{0, 0}));
  EXPECT_EQ(made.row(5), (std::vector<float>{5, 6}));
}

TEST(FastTextWords, ThatAreNotUtf8NeedALossyConversion) {
  Maker maker;
  maker.entries[1].first = "b\xC3";
  expect_error(maker.make(), kToFifu, ErrorCode::BadValue, "dictionary.entries[1].word", 104);
  const auto made = run_words(maker.make(), lossy(kToFifu));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(read_fifu(made->file).words[1], "b\xEF\xBF\xBD");
}

TEST(FastTextWords, ThatOccurTwiceAreRefused) {
  Maker maker;
  maker.entries[1].first = "a";
  EXPECT_EQ(words_error(maker.make(), kToFifu).path, "vocabulary.words[1]");
}

struct Fault {
  const char* name;
  void (*spoil)(Maker& maker);
  ErrorCode code;
  const char* path;
  uint64_t offset;
};

const Fault kFaults[] = {
    {"magic", [](Maker& m) { m.magic = 1; }, ErrorCode::BadMagic, "header.magic", 0},
    {"version", [](Maker& m) { m.version = 13; }, ErrorCode::UnsupportedVersion, "header.version",
     4},
    {"no numbers", [](Maker& m) { m.dims = 0; }, ErrorCode::BadValue, "header.dim", 8},
    {"negative dim", [](Maker& m) { m.dims = UINT32_MAX; }, ErrorCode::BadValue, "header.dim", 8},
    {"too many numbers", [](Maker& m) { m.dims = 2 << 20; }, ErrorCode::BadValue, "header.dim", 8},
    {"loss", [](Maker& m) { m.loss = 5; }, ErrorCode::BadValue, "header.loss", 32},
    {"model", [](Maker& m) { m.kind = 0; }, ErrorCode::BadValue, "header.model", 36},
    {"minn over maxn", [](Maker& m) { m.min_n = 4; }, ErrorCode::BadValue, "header.minn", 44},
    {"threshold", [](Maker& m) { m.threshold = std::nan(""); }, ErrorCode::BadValue, "header.t",
     56},
    {"words and labels", [](Maker& m) { m.n_words = 1; }, ErrorCode::Mismatch, "dictionary.size",
     64},
    {"no words",
     [](Maker& m) {
       m.entries = {};
       m.n_words = 0;
     },
     ErrorCode::BadValue, "dictionary.nwords", 68},
    {"label among words", [](Maker& m) { m.entries[0].second = 1; }, ErrorCode::BadValue,
     "dictionary.entries[0].type", 102},
    {"word among labels",
     [](Maker& m) {
       m.n_words = 1;
       m.n_labels = 1;
     },
     ErrorCode::BadValue, "dictionary.entries[1].type", 114},
    {"empty word", [](Maker& m) { m.entries[1].first = ""; }, ErrorCode::BadValue,
     "dictionary.entries[1].word", 103},
    {"long word", [](Maker& m) { m.entries[1].first.assign(70'000, 'x'); },
     ErrorCode::LimitExceeded, "dictionary.entries[1].word", 103},
    {"negative prune size", [](Maker& m) { m.pruned = -2; }, ErrorCode::BadValue,
     "dictionary.pruneidx_size", 84},
    {"huge prune size", [](Maker& m) { m.pruned = int64_t{1} << 60; }, ErrorCode::Truncated,
     "dictionary.pruneidx_size", 84},
    {"bucket past the end",
     [](Maker& m) {
       m.pruned = 1;
       m.kept = {{4, 0}};
       m.rows = 3;
     },
     ErrorCode::BadValue, "dictionary.pruneidx", 115},
    {"row twice",
     [](Maker& m) {
       m.pruned = 2;
       m.kept = {{0, 0}, {1, 0}};
       m.rows = 4;
     },
     ErrorCode::BadValue, "dictionary.pruneidx", 123},
    {"quantized", [](Maker& m) { m.quantized = 2; }, ErrorCode::BadValue, "input.quantized", 115},
    {"rows", [](Maker& m) { m.rows = 5; }, ErrorCode::Mismatch, "input.rows", 116},
    {"huge rows", [](Maker& m) { m.rows = UINT64_MAX; }, ErrorCode::Mismatch, "input.rows", 116},
    {"columns", [](Maker& m) { m.cols = 3; }, ErrorCode::Mismatch, "input.cols", 124},
    {"more buckets than rows", [](Maker& m) { m.bucket = 2'000'000; }, ErrorCode::Mismatch,
     "input.rows", 116},
    {"not a number", [](Maker& m) { m.values = {1, 2, 3, std::nanf("")}; }, ErrorCode::BadValue,
     "rows[1]", 144},
    {"an infinite n-gram",
     [](Maker& m) {
       m.values.assign(12, 1);
       m.values[11] = std::numeric_limits<float>::infinity();
     },
     ErrorCode::BadValue, "rows[5]", 176},
};

TEST(FastTextWords, WithAFaultAreRefusedByName) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.name);
    Maker maker;
    fault.spoil(maker);
    expect_error(maker.make(), kToFifu, fault.code, fault.path, fault.offset);
  }
}

TEST(FastTextWords, WithMoreEntriesThanBytesAreRefused) {
  File file = Maker().make();
  store_le(file.data() + 64, uint32_t{0x7FFFFFFF});
  store_le(file.data() + 68, uint32_t{0x7FFFFFFF});
  expect_error(file, kToFifu, ErrorCode::Truncated, "dictionary.size", 64);
}

// Found by the fuzzer: finite rows whose sum is none.
TEST(FastTextWords, WhoseSumsAreTooLargeAreRefused) {
  Maker maker;
  maker.values.assign(12, 3e38F);
  for (const char* to : {"text", "word2vec", "finalfusion"}) {
    expect_error(maker.make(), unnormalized(lossy(from_to("fasttext", to))), ErrorCode::Overflow,
                 "rows[0]");
  }
}

TEST(FastTextWords, WithTooManyNgramsInOneWordAreRefused) {
  Maker maker;
  maker.entries[0].first.assign(60'000, 'x');
  maker.min_n = 1;
  maker.max_n = 60'000;
  EXPECT_EQ(words_error(maker.make(), kToFifu).code, ErrorCode::LimitExceeded);
}

// The end of the input matrix, behind which nothing is wanted.
void expect_cuts_refused(const File& whole, size_t end) {
  for (size_t size = 0; size < whole.size(); ++size) {
    const File cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto made = run_words(cut, kToFifu);
    EXPECT_EQ(made.has_value(), size >= end) << size;
  }
}

TEST(FastTextWords, ThatAreCutAreRefused) {
  const File plain = Maker().make();
  expect_cuts_refused(plain, plain.size());
  const File model = fixture("skipgram.bin");
  // 14 rows of an output matrix follow: a flag, two counts, 3 floats each.
  expect_cuts_refused(model, model.size() - 1 - 16 - 14 * 12);
}

TEST(FastTextWords, ThatAreQuantizedAndCutAreRefused) {
  const File model = fixture("pruned.ftz");
  size_t least = 0;
  for (size_t size = 0; size < model.size(); size += 7) {
    const File cut(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(size));
    const auto made = run_words(cut, kToFifu);
    if (made && least == 0) least = size;
    EXPECT_EQ(made.has_value(), least > 0) << size;
  }
  EXPECT_GT(least, model.size() / 2);
}

TEST(FastTextWords, WithAnyByteChangedGiveAnErrorOrAFile) {
  for (const char* name : {"skipgram.bin", "labels.ftz", "pruned.ftz"}) {
    const File whole = fixture(name);
    for (size_t at = 0; at < whole.size(); at += at < 400 ? 1 : 29) {
      for (const int flip : {0x01, 0x80, 0xFF}) {
        File changed = whole;
        changed[at] = static_cast<uint8_t>(changed[at] ^ flip);
        const auto made = run_words(changed, kToFifu);
        if (made) read_fifu(made->file);
      }
    }
  }
}

}  // namespace
}  // namespace ambry::convert

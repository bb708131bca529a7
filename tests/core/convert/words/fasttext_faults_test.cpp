// fastText models built by hand, valid ones and invalid ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "convert/words/make_fasttext.h"
#include "model/words/subwords.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

const Options kFromFastText = from_to("fasttext", "finalfusion");

TEST(FastTextWords, AreTheMeanOfTheirRows) {
  FastTextMaker maker;
  // "<a>" has the 2-grams "<a" and "a>" and itself, "<bc>" five n-grams.
  const Fifu made = read_fifu(convert_words(maker.make(), kFromFastText));
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
  FastTextMaker maker;
  maker.version = 11;
  maker.kind = 3;
  expect_error(maker.make(), kFromFastText, ErrorCode::Unsupported, "header.wordNgrams");
  const auto made = run_words(maker.make(), lossy(kFromFastText));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(read_fifu(made->file).values.size(), 4U);
}

TEST(FastTextWords, OfModelsWithNgramsOfWordsGiveAWarning) {
  FastTextMaker maker;
  maker.word_ngrams = 2;
  const auto made = run_words(maker.make(), kFromFastText);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].path, "header.wordNgrams");
}

TEST(FastTextWords, WithAllNgramsPrunedAreWordsOnly) {
  FastTextMaker maker;
  maker.pruned = 0;
  maker.rows = 2;
  EXPECT_EQ(read_fifu(convert_words(maker.make(), kFromFastText)).model.words->kind,
            model::WordVocabularyKind::Simple);
}

TEST(FastTextWords, KeepTheirBucketsWhenPruned) {
  FastTextMaker maker;
  maker.pruned = 2;
  maker.kept = {{1, 1}, {3, 0}};
  maker.rows = 4;
  const Fifu made = read_fifu(convert_words(maker.make(), kFromFastText));
  EXPECT_EQ(made.row(2), (std::vector<float>{0, 0}));
  EXPECT_EQ(made.row(3), (std::vector<float>{7, 8}));
  EXPECT_EQ(made.row(4), (std::vector<float>{0, 0}));
  EXPECT_EQ(made.row(5), (std::vector<float>{5, 6}));
}

// The vectors of such words are those of the stored bytes.
TEST(FastTextWords, ThatAreNotUtf8AreShownWithAReplacement) {
  FastTextMaker maker;
  maker.entries = {{"b\xC3", 0}, {"b\xC4", 0}};
  const auto made = run_words(maker.make(), kFromFastText);
  ASSERT_TRUE(made) << describe(made.error());
  ASSERT_EQ(made->warnings.size(), 2U);
  EXPECT_EQ(made->warnings[0].message, "2 words are not valid UTF-8 and shown with U+FFFD");
  EXPECT_EQ(made->warnings[1].message, "1 word equals an earlier one and gets a number: word(2)");
  const Fifu fifu = read_fifu(made->file);
  EXPECT_EQ(fifu.words, (std::vector<std::string>{"b\xEF\xBF\xBD", "b\xEF\xBF\xBD(2)"}));
  std::vector<float> sum = {1, 2};
  // Four characters: a lead byte without its continuation is one.
  for (const char* ngram : {"<b", "b\xC3", "\xC3>", "<b\xC3", "b\xC3>"}) {
    const auto bucket = static_cast<float>(model::fasttext_hash(ngram) % 4);
    sum[0] += 5.0F + 2.0F * bucket;
    sum[1] += 6.0F + 2.0F * bucket;
  }
  EXPECT_FLOAT_EQ(fifu.values[0] * fifu.norms[0], sum[0] / 6);
  EXPECT_FLOAT_EQ(fifu.values[1] * fifu.norms[0], sum[1] / 6);
}

TEST(FastTextWords, ThatOccurTwiceGetNumbers) {
  FastTextMaker maker;
  maker.entries[1].first = "a";
  const auto made = run_words(maker.make(), kFromFastText);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(read_fifu(made->file).words, (std::vector<std::string>{"a", "a(2)"}));
}

TEST(FastTextWords, OfOneBracketAreLeftToTheFormat) {
  FastTextMaker maker;
  maker.min_n = 1;
  const auto made = run_words(maker.make(), kFromFastText);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].path, "header.minn");
}

// A word of the text with the prefix of labels is a label, also of a model that classifies nothing.
TEST(FastTextWords, AreNoClassifierForOneLabel) {
  FastTextMaker maker;
  maker.entries.emplace_back("__label__", 1);
  maker.n_labels = 1;
  const auto made = run_words(maker.make(), kFromFastText);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_EQ(made->warnings[0].message, "1 label (__label__) is left out");
}

struct FastTextFault {
  const char* name;
  void (*spoil)(FastTextMaker& maker);
  ErrorCode code;
  const char* path;
  uint64_t offset;
};

const FastTextFault kFastTextFaults[] = {
    {"magic", [](FastTextMaker& m) { m.magic = 1; }, ErrorCode::BadMagic, "file", 0},
    {"version", [](FastTextMaker& m) { m.version = 13; }, ErrorCode::UnsupportedVersion,
     "header.version", 4},
    {"no numbers", [](FastTextMaker& m) { m.dims = 0; }, ErrorCode::BadValue, "header.dim", 8},
    {"negative dim", [](FastTextMaker& m) { m.dims = UINT32_MAX; }, ErrorCode::BadValue,
     "header.dim", 8},
    {"too many numbers", [](FastTextMaker& m) { m.dims = 2 << 20; }, ErrorCode::BadValue,
     "header.dim", 8},
    {"loss", [](FastTextMaker& m) { m.loss = 5; }, ErrorCode::BadValue, "header.loss", 32},
    {"model", [](FastTextMaker& m) { m.kind = 0; }, ErrorCode::BadValue, "header.model", 36},
    {"minn over maxn", [](FastTextMaker& m) { m.min_n = 4; }, ErrorCode::BadValue, "header.minn",
     44},
    {"threshold", [](FastTextMaker& m) { m.threshold = std::nan(""); }, ErrorCode::BadValue,
     "header.t", 56},
    {"words and labels", [](FastTextMaker& m) { m.n_words = 1; }, ErrorCode::Mismatch,
     "dictionary.size", 64},
    {"no words",
     [](FastTextMaker& m) {
       m.entries = {};
       m.n_words = 0;
     },
     ErrorCode::BadValue, "dictionary.nwords", 68},
    {"label among words", [](FastTextMaker& m) { m.entries[0].second = 1; }, ErrorCode::BadValue,
     "dictionary.entries[0].type", 102},
    {"word among labels",
     [](FastTextMaker& m) {
       m.n_words = 1;
       m.n_labels = 1;
     },
     ErrorCode::BadValue, "dictionary.entries[1].type", 114},
    {"empty word", [](FastTextMaker& m) { m.entries[1].first = ""; }, ErrorCode::BadValue,
     "dictionary.entries[1].word", 103},
    {"long word", [](FastTextMaker& m) { m.entries[1].first.assign(70'000, 'x'); },
     ErrorCode::LimitExceeded, "dictionary.entries[1].word", 103},
    {"negative prune size", [](FastTextMaker& m) { m.pruned = -2; }, ErrorCode::BadValue,
     "dictionary.pruneidx_size", 84},
    {"huge prune size", [](FastTextMaker& m) { m.pruned = int64_t{1} << 60; }, ErrorCode::Truncated,
     "dictionary.pruneidx_size", 84},
    {"bucket past the end",
     [](FastTextMaker& m) {
       m.pruned = 1;
       m.kept = {{4, 0}};
       m.rows = 3;
     },
     ErrorCode::BadValue, "dictionary.pruneidx", 115},
    {"row twice",
     [](FastTextMaker& m) {
       m.pruned = 2;
       m.kept = {{0, 0}, {1, 0}};
       m.rows = 4;
     },
     ErrorCode::BadValue, "dictionary.pruneidx", 123},
    {"quantized", [](FastTextMaker& m) { m.quantized = 2; }, ErrorCode::BadValue, "input.quantized",
     115},
    {"rows", [](FastTextMaker& m) { m.rows = 5; }, ErrorCode::Mismatch, "input.rows", 116},
    {"huge rows", [](FastTextMaker& m) { m.rows = UINT64_MAX; }, ErrorCode::Mismatch, "input.rows",
     116},
    {"columns", [](FastTextMaker& m) { m.cols = 3; }, ErrorCode::Mismatch, "input.cols", 124},
    {"more buckets than rows", [](FastTextMaker& m) { m.bucket = 2'000'000; }, ErrorCode::Mismatch,
     "input.rows", 116},
    {"not a number", [](FastTextMaker& m) { m.values = {1, 2, 3, std::nanf("")}; },
     ErrorCode::BadValue, "rows[1]", 144},
    {"an infinite n-gram",
     [](FastTextMaker& m) {
       m.values.assign(12, 1);
       m.values[11] = std::numeric_limits<float>::infinity();
     },
     ErrorCode::BadValue, "rows[5]", 176},
};

TEST(FastTextWords, WithAFaultAreRejected) {
  for (const FastTextFault& fault : kFastTextFaults) {
    SCOPED_TRACE(fault.name);
    FastTextMaker maker;
    fault.spoil(maker);
    expect_error(maker.make(), kFromFastText, fault.code, fault.path, fault.offset);
  }
}

TEST(FastTextWords, WithMoreEntriesThanBytesAreRejected) {
  File file = FastTextMaker().make();
  store_le(file.data() + 64, uint32_t{0x7FFFFFFF});
  store_le(file.data() + 68, uint32_t{0x7FFFFFFF});
  expect_error(file, kFromFastText, ErrorCode::Truncated, "dictionary.size", 64);
}

// Found by the fuzzer: the rows are finite but their sum is not.
TEST(FastTextWords, WhoseSumsAreTooLargeAreRejected) {
  FastTextMaker maker;
  maker.values.assign(12, 3e38F);
  for (const char* to : {"text", "word2vec", "finalfusion"}) {
    expect_error(maker.make(), unnormalized(lossy(from_to("fasttext", to))), ErrorCode::Overflow,
                 "rows[0]");
  }
}

TEST(FastTextWords, WithTooManyNgramsInOneWordAreRejected) {
  FastTextMaker maker;
  maker.entries[0].first.assign(60'000, 'x');
  maker.min_n = 1;
  maker.max_n = 60'000;
  EXPECT_EQ(words_error(maker.make(), kFromFastText).code, ErrorCode::LimitExceeded);
}

// The end of the input matrix. Nothing after it is read.
void expect_cuts_refused(const File& whole, size_t end) {
  for (size_t size = 0; size < whole.size(); ++size) {
    const File cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto made = run_words(cut, kFromFastText);
    EXPECT_EQ(made.has_value(), size >= end) << size;
  }
}

TEST(FastTextWords, TruncatedFilesAreRejected) {
  const File plain = FastTextMaker().make();
  expect_cuts_refused(plain, plain.size());
  const File model = fasttext_fixture("skipgram.bin");
  // 14 rows of an output matrix follow: a flag, two counts, 3 floats each.
  expect_cuts_refused(model, model.size() - 1 - 16 - 14 * 12);
}

TEST(FastTextWords, TruncatedQuantizedFilesAreRejected) {
  const File model = fasttext_fixture("pruned.ftz");
  size_t least = 0;
  for (size_t size = 0; size < model.size(); size += 7) {
    const File cut(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(size));
    const auto made = run_words(cut, kFromFastText);
    if (made && least == 0) least = size;
    EXPECT_EQ(made.has_value(), least > 0) << size;
  }
  EXPECT_GT(least, model.size() / 2);
}

TEST(FastTextWords, WithAnyByteChangedGiveAnErrorOrAFile) {
  for (const char* name : {"skipgram.bin", "labels.ftz", "pruned.ftz"}) {
    const File whole = fasttext_fixture(name);
    for (size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 37) {
      for (const int flip : {1 << at % 8, 0xFF}) {
        File changed = whole;
        changed[at] = static_cast<uint8_t>(changed[at] ^ flip);
        const auto made = run_words(changed, kFromFastText);
        if (made) read_fifu(made->file);
      }
    }
  }
}

}  // namespace
}  // namespace ambry::convert

// word2vec, text, textdims and floret files with one fault each.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "convert/words/make_records.h"
#include "convert/words/run_words.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(WordRecords, RejectAnInvalidHeader) {
  for (const char* text : {"2\n", "2 2 2\n", "x 2\n", "2 -2\n", "\n", "99999999999999999999 2\n"}) {
    EXPECT_EQ(words_error(file(std::string(text) + "a 1 2\n"), kTextDims).code, ErrorCode::BadValue)
        << text;
    EXPECT_EQ(words_error(file(std::string(text) + "a 1 2\n"), kWord2Vec).code, ErrorCode::BadValue)
        << text;
  }
  expect_error(file("2 0\na\nb\n"), kTextDims, ErrorCode::BadValue, "header.dims", 0);
  expect_error(file("0 2\n"), kTextDims, ErrorCode::BadValue, "header.rows", 0);
  expect_error(file(std::string(5000, '1')), kTextDims, ErrorCode::LimitExceeded, "header", 0);
  expect_error(file("1 2000000\na"), kTextDims, ErrorCode::LimitExceeded, "header.dims", 0);
}

TEST(WordRecords, RejectCountsThatTheFileCannotHold) {
  expect_error(file("1000000000 2\na 1 2\n"), kTextDims, ErrorCode::Truncated, "header.rows", 0);
  expect_error(file("4000000000 300\na "), kWord2Vec, ErrorCode::Truncated, "header.rows", 0);
  expect_error(file("18446744073709551615 1048576\na "), kWord2Vec, ErrorCode::Truncated,
               "header.rows", 0);
  expect_error(file("4000000000 2 1 2 1 0 < >\n0 1 2\n"), kFloret, ErrorCode::Truncated,
               "header.rows", 0);
}

TEST(WordRecords, RejectCountsThatDifferFromTheHeader) {
  std::string more = word2vec_file();
  more[0] = '1';
  expect_error(file(more), kWord2Vec, ErrorCode::Mismatch, "header.rows", 15);
  std::string fewer = word2vec_file() + "            ";
  fewer[0] = '3';
  expect_error(file(fewer), kWord2Vec, ErrorCode::Truncated, "rows[2]", fewer.size());
  expect_error(file("1 2\na 1 2\nb 1 2\n"), kTextDims, ErrorCode::Mismatch, "header.rows", 10);
  expect_error(file("2 2\na 11111111 2\n"), kTextDims, ErrorCode::Mismatch, "header.rows", 0);
}

TEST(WordRecords, RejectRowsOfAnotherLength) {
  expect_error(file("a 1 2\nb 1\n"), kText, ErrorCode::Mismatch, "rows[1]", 6);
  expect_error(file("a 1 2\nb 1 2 3\n"), kText, ErrorCode::Mismatch, "rows[1]", 6);
  expect_error(file("2 2\na 1 2\nb 1 2 3\n"), kTextDims, ErrorCode::Mismatch, "rows[1]", 10);
  expect_error(file("2 3\na 1 2\nb 1 2 33\n"), kTextDims, ErrorCode::Mismatch, "rows[0]", 4);
  expect_error(file("a\nb\n"), kText, ErrorCode::BadValue, "rows[0]", 0);
}

TEST(WordRecords, LeaveOutBadRowsIfLossy) {
  const auto made = run_words(file("a 1 2\nb 1\n\nc 3 4\n"), lossy(kText));
  ASSERT_TRUE(made);
  EXPECT_EQ(read_fifu(made->file).words, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(read_fifu(made->file).norms[1], 5);
  ASSERT_EQ(made->warnings.size(), 2U);
  EXPECT_EQ(made->warnings[0].path, "rows[1]");
  EXPECT_EQ(made->warnings[1].message, "1 empty line left out");
}

TEST(WordRecords, CountTheRowsThatAreNotNamed) {
  std::string text = "a 1 2\n";
  for (int i = 0; i < 30; ++i) text += "b\n";
  const auto made = run_words(file(text), lossy(kText));
  ASSERT_TRUE(made);
  ASSERT_EQ(made->warnings.size(), 11U);
  EXPECT_EQ(made->warnings[10].message, "30 rows are left out in total");
}

TEST(WordRecords, RejectEmptyWords) {
  expect_error(file("1 1\n " + floats({1})), kWord2Vec, ErrorCode::Truncated, "rows[0]", 5);
  // As in the reference, a space counts as white space before the word.
  expect_error(file("1 1\n\n\n\n\n\n\n"), kWord2Vec, ErrorCode::Truncated, "rows[0]", 10);
}

TEST(WordRecords, RejectAnEmptyFile) {
  for (const char* form : {"text", "textdims", "word2vec", "floret"}) {
    const Error error = words_error({}, from_to(form, "finalfusion"));
    EXPECT_NE(error.code, ErrorCode::NeedBytes) << form;
  }
}

TEST(WordRecords, RejectValuesThatAreNotFinite) {
  expect_error(file("a 1 2\nb 1 nan\n"), kText, ErrorCode::BadValue, "rows[1].values[1]", 10);
  for (const char* bad : {"inf", "-inf", "1e39", "1.2.3", "0x1", "--1", "word"}) {
    expect_error(file(concat({"a ", bad, " 1\nb 1 2\nc 1 2\n"})), kText, ErrorCode::BadValue,
                 "rows[0].values[0]", 2);
  }
  const float infinity = std::numeric_limits<float>::infinity();
  expect_error(file("1 2\na " + floats({1, infinity})), kWord2Vec, ErrorCode::BadValue,
               "rows[0].values[1]", 10);
  expect_error(file("1 1\na " + floats({std::nanf("")})), kWord2Vec, ErrorCode::BadValue,
               "rows[0].values[0]", 6);
}

TEST(WordRecords, RejectVectorsWhoseLengthOverflows) {
  expect_error(file("a 1 2\nb 1e30 1e30\n"), kText, ErrorCode::Overflow, "rows[1]");
}

TEST(WordRecords, RejectWordsThatAreTooLong) {
  const std::string word(70'000, 'x');
  expect_error(file(word + " 1 2\n"), kText, ErrorCode::LimitExceeded, "rows[0].word", 0);
  expect_error(file("1 2\n" + word + " " + floats({1, 2})), kWord2Vec, ErrorCode::LimitExceeded,
               "rows[0].word", 4);
  EXPECT_EQ(
      read_fifu(convert_words(file(std::string(65'536, 'x') + " 1 2\n"), kText)).words[0].size(),
      65'536U);
}

TEST(WordRecords, RejectLinesThatAreTooLong) {
  std::string text = "a";
  text.append(33 << 20, ' ');
  expect_error(file(text + "1\n"), kText, ErrorCode::LimitExceeded, "rows", 0);
}

TEST(WordRecords, RejectAnInvalidFloretHeader) {
  const auto refused = [](std::string_view header, std::string_view field) {
    const Error error = words_error(file(std::string(header) + "\n0 1 2\n"), kFloret);
    EXPECT_EQ(error.code, ErrorCode::BadValue) << describe(error);
    EXPECT_EQ(error.path, "header." + std::string(field)) << describe(error);
  };
  refused("1 2 1 2 1 0 <", "eow");
  refused("1 2 1 2 1 0", "seed");
  refused("1 2 0 2 1 0 < >", "min_n");
  refused("1 2 3 2 1 0 < >", "min_n");
  refused("1 2 1 2 0 0 < >", "n_hashes");
  refused("1 2 1 2 5 0 < >", "n_hashes");
  refused("0 2 1 2 1 0 < >", "rows");
  refused("1 0 1 2 1 0 < >", "dims");
  refused("1  2 1 2 1 0 < >", "dims");
  refused("1 2 1 2 1 0 \xC3 >", "bow");
}

TEST(WordRecords, OfFloretMustBeInOrder) {
  const Fifu made = read_fifu(convert_words(file("2 1 1 2 1 7 [ ]\n9 3\n9 4\n"), kFloret));
  EXPECT_EQ(made.values, (std::vector<float>{3, 4}));
  EXPECT_EQ(made.model.words->bow, "[");
  EXPECT_EQ(made.model.words->seed, 7U);
  expect_error(file("2 1 1 2 1 7 [ ]\n0 3\n1 4 5\n"), lossy(kFloret), ErrorCode::Mismatch,
               "rows[1]", 20);
}

TEST(WordRecords, OfWordsWithSpacesNeedALossyConversion) {
  // Only finalfusion can store such words.
  const File fifu = convert_words(file("1 2\na\tb " + floats({3, 4})), kWord2Vec);
  EXPECT_EQ(read_fifu(fifu).words[0], "a\tb");
  for (const char* to : {"word2vec", "text", "textdims"}) {
    expect_error(fifu, from_to("finalfusion", to), ErrorCode::Unsupported, "vocabulary.words[0]");
    const auto made = run_words(fifu, lossy(from_to("finalfusion", to)));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->warnings.size(), 2U);  // the word and the norms
  }
}

}  // namespace
}  // namespace ambry::convert

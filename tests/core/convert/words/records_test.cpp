// word2vec, text, textdims and floret files that are valid, and how files are recognized.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "convert/words/make_records.h"
#include "convert/words/run_words.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(WordRecords, OfWord2VecAreNormalizedAndGetNorms) {
  const Fifu made = read_fifu(convert_words(file(word2vec_file()), kWord2Vec));
  EXPECT_EQ(made.words, (std::vector<std::string>{"a", "bc"}));
  EXPECT_EQ(made.values, (std::vector<float>{0.6F, 0.8F, 0, -1}));
  EXPECT_EQ(made.norms, (std::vector<float>{5, 2}));
  EXPECT_EQ(made.model.words->kind, model::WordVocabularyKind::Simple);
}

TEST(WordRecords, OfWord2VecNeedNoLineFeeds) {
  std::string text = word2vec_file();
  const File with = convert_words(file(text), kWord2Vec);
  std::erase(text, '\n');
  text.insert(3, 1, '\n');
  EXPECT_EQ(convert_words(file(text), kWord2Vec), with);
}

TEST(WordRecords, OfZerosStayZeros) {
  const Fifu made = read_fifu(convert_words(file("a 0 0\nb 0 1\n"), kText));
  EXPECT_EQ(made.values, (std::vector<float>{0, 0, 0, 1}));
  EXPECT_EQ(made.norms, (std::vector<float>{0, 1}));
}

TEST(WordRecords, OfTextAreSplitAtAnyAsciiSpace) {
  const File plain = convert_words(file("a 3 4\nbc 0 -2\n"), kText);
  EXPECT_EQ(convert_words(file(word2vec_file()), kWord2Vec), plain);
  for (const char* text :
       {"a 3 4\nbc 0 -2", "a\t3  4 \r\nbc 0\f-2\r\n", " a 3.0 +4e0\nbc 0 -.2e1\n"}) {
    EXPECT_EQ(convert_words(file(text), kText), plain) << text;
  }
  for (const char* text : {"2 2\na 3 4\nbc 0 -2\n", "2  2 \r\na 3 4\r\nbc 0 -2\r\n"}) {
    EXPECT_EQ(convert_words(file(text), kTextDims), plain) << text;
  }
}

TEST(WordRecords, KeepSpacesThatAreNotAscii) {
  const Fifu made = read_fifu(convert_words(file("a\xC2\xA0"
                                                 "b 1 0\n"),
                                            kText));
  EXPECT_EQ(made.words[0],
            "a\xC2\xA0"
            "b");
}

TEST(WordRecords, AreWrittenLikeTheReference) {
  const File text = file("a 3 4\nbc 0.1 -0.0000001\n");
  EXPECT_EQ(text_of(convert_words(text, unnormalized(from_to("text", "text")))), text_of(text));
  EXPECT_EQ(text_of(convert_words(text, unnormalized(from_to("text", "textdims")))),
            "2 2\n" + text_of(text));
  EXPECT_EQ(text_of(convert_words(text, unnormalized(from_to("text", "word2vec")))),
            "2 2\na " + floats({3, 4}) + "\nbc " + floats({0.1F, -1e-7F}) + "\n");
  EXPECT_EQ(text_of(convert_words(file("a 3 4\n"), from_to("text", "text"))), "a 0.6 0.8\n");
}

TEST(WordRecords, OfTextBecomeAFastTextModelWithoutNgrams) {
  const File model = convert_words(file("a 3 4\nbc 0 -2\n"), from_to("text", "fasttext"));
  const Fifu made = read_fifu(convert_words(model, from_to("", "finalfusion")));
  EXPECT_EQ(made.model.words->kind, model::WordVocabularyKind::Simple);
  EXPECT_EQ(made.norms, (std::vector<float>{5, 2}));
}

TEST(WordRecords, KeepGivenMetadata) {
  Options options = kText;
  options.metadata.emplace_back("source", "here");
  EXPECT_EQ(read_fifu(convert_words(file("a 3 4\n"), options)).model.metadata_text,
            "source = \"here\"\n");
  options.to = "word2vec";
  expect_error(file("a 3 4\n"), options, ErrorCode::Unsupported, "options.metadata");
}

TEST(WordRecords, AreOnlyF32) {
  Options options = kText;
  options.dtype = tensor::DType::F16;
  expect_error(file("a 3 4\n"), options, ErrorCode::Unsupported, "options.dtype");
}

TEST(WordRecords, LargerThanABlockAreReadWhole) {
  // Rows of 300,000 values: three fill a block, and a line is longer than one read.
  std::string text;
  for (const char* word : {"a", "b", "c", "d", "e"}) {
    text += word;
    for (int i = 0; i < 300'000; ++i) text += i % 7 == 0 ? " 0.123456789012345" : " -1.5";
    text += '\n';
  }
  const Fifu made = read_fifu(convert_words(file(text), kText));
  EXPECT_EQ(made.words.size(), 5U);
  EXPECT_EQ(made.row(4), made.row(0));
  EXPECT_EQ(made.norms[4], made.norms[0]);
}

// Rows of few decimals are as long as rows of floats, and digits are plausible floats.
TEST(WordRecords, OfTextWithFewDimensionsAreRecognizedAsText) {
  for (size_t dims = 1; dims <= 12; ++dims) {
    for (const char* end : {"\n", ""}) {
      std::string text = concat({"2 ", uint64_t{dims}});
      std::string expected = text;
      for (const char* word : {"Rome", "Oslo"}) {
        text += concat({"\n", word, " 1.00"});
        expected += concat({"\n", word, " 1"});
        for (size_t i = 1; i < dims; ++i) {
          text += " 0.00";
          expected += " 0";
        }
      }
      const auto words = convert_words(file(text + end), from_to("", "textdims"));
      EXPECT_EQ(std::string(words.begin(), words.end()), expected + "\n") << text;
    }
  }
}

// A fault in a text, without `from`, is told as the fault of a text.
void expect_text_fault(std::string_view text, std::string_view path, std::string_view message) {
  const Error error = words_error(file(text), from_to("", "finalfusion"));
  EXPECT_EQ(error.path, path) << describe(error);
  EXPECT_EQ(error.message, message) << describe(error);
}

TEST(WordRecords, OfTextWithAFaultAreNotTakenForBinaryFiles) {
  expect_text_fault("2 2\na 1 2\nb nan 1\n", "rows[1].values[0]",
                    "line 3, column 3: \"nan\" is no finite number");
  expect_text_fault("2 2\na -Infinity 2\nb 1 1\n", "rows[0].values[0]",
                    "line 2, column 3: \"-Infinity\" is no finite number");
  expect_text_fault("2 3\r\na 1 2 3 \r\nb 1 abc 1 \r\n", "rows[1].values[1]",
                    "line 3, column 5: \"abc\" is no finite number");
  expect_text_fault("2 4\na 10.5 2.5 3.5\nb 1 2 3\n", "rows[0]",
                    "line 2: the row has 3 values, but the first line states 4");
  expect_text_fault("2 2\na 1 2\nb 1 2\nc 1 2\n", "header.rows", "line 4: more follows the 2 rows");
  expect_text_fault("2 4\na 1 2 3\nb 1 2 3\n", "header.rows",
                    "line 1: 2 rows of 4 numbers pass the end of the file");
  expect_text_fault("0 2\na 1 2\n", "header.rows", "there must be a row");
  expect_text_fault("1 1 1 2 1 7 < >\n0 inf\n", "rows[0].values[0]",
                    "line 2, column 3: \"inf\" is no finite number");
  expect_text_fault("a 1 2 3 4 nan 6 7 8\nb 1 2 3 4 5 6 7 8\n", "rows[0].values[4]",
                    "line 1, column 11: \"nan\" is no finite number");
  expect_text_fault("a 1 2 3 4 5 6 7 8\nb 1 2 3 4 5 6 7\n", "rows[1]",
                    "line 2: the row has 7 values, but other rows have 8");
  // Columns count characters.
  expect_text_fault("2 2\na 1 2\nd\u00E9j\u00E0 1 nan\n", "rows[1].values[1]",
                    "line 3, column 8: \"nan\" is no finite number");
}

// All rows of this file are as long as its floats would be.
TEST(WordRecords, OfTextWithoutAnyNumberAreNotTakenForBinaryFiles) {
  std::string text = "2 22\n";
  for (const char* word : {"the", "cat"}) {
    text += word;
    for (int i = 0; i < 22; ++i) text += " nan";
    text += '\n';
  }
  const Error error = words_error(file(text), from_to("", "finalfusion"));
  EXPECT_EQ(error.path, "rows[0].values[0]") << describe(error);
}

TEST(WordRecords, OfWord2VecWithAFaultAreStillBinaryFiles) {
  const float infinity = std::numeric_limits<float>::infinity();
  expect_error(file("1 2\na " + floats({1, infinity})), from_to("", "finalfusion"),
               ErrorCode::BadValue, "rows[0].values[1]", 10);
}

TEST(WordRecords, AreNotRecognizedInProse) {
  for (const char* text : {"Four score and seven years ago our fathers brought forth a nation\n",
                           "1 2\n", "a 1 2\n", "12 7 13\n", "3 4\nhello world\n"}) {
    EXPECT_EQ(words_error(file(text), from_to("", "finalfusion")).code, ErrorCode::BadMagic)
        << text;
  }
  EXPECT_FALSE(
      convert_words(file("a 1 2 3 4 5 6 7 8\nb 1 2 3 4 5 6 7 8\n"), from_to("", "finalfusion"))
          .empty());
  EXPECT_FALSE(convert_words(file(word2vec_file()), from_to("", "finalfusion")).empty());
}

TEST(WordRecords, TruncatedFilesGiveAnErrorOrFewerWords) {
  const std::pair<std::string, Options> kFiles[] = {{word2vec_file(), kWord2Vec},
                                                    {"a 3 4\nbc 0 -2\n", kText},
                                                    {"2 2\na 3 4\nbc 0 -2\n", kTextDims},
                                                    {"2 1 1 2 1 7 [ ]\n0 3\n1 4\n", kFloret}};
  for (const auto& [whole, options] : kFiles) {
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto made = run_words(file(std::string_view(whole).substr(0, size)), options);
      if (made) {
        EXPECT_EQ(read_fifu(made->file).model.format, "finalfusion");
      }
      // Only the last line feed may be missing if the header states the number of rows.
      if (options.from != "text") {
        EXPECT_EQ(made.has_value(), size + 1 == whole.size()) << options.from << " " << size;
      }
    }
  }
}

TEST(WordRecords, WithAnyByteChangedGiveAnErrorOrAFile) {
  const std::pair<std::string, Options> kFiles[] = {{word2vec_file(), kWord2Vec},
                                                    {"a 3 4\nbc 0 -2\n", kText},
                                                    {"2 2\na 3 4\nbc 0 -2\n", kTextDims},
                                                    {"2 1 1 2 1 7 [ ]\n0 3\n1 4\n", kFloret}};
  for (const auto& [whole, options] : kFiles) {
    for (size_t at = 0; at < whole.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = whole;
        changed[at] = static_cast<char>(byte);
        const auto made = run_words(file(changed), options);
        if (made) read_fifu(made->file);
        static_cast<void>(run_words(file(changed), lossy(options)));
      }
    }
  }
}

}  // namespace
}  // namespace ambry::convert

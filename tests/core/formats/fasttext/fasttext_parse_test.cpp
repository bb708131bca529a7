// What the parser says of classifiers and word vectors, and what it refuses.
#include "formats/fasttext/fasttext_parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "formats/conformance.h"
#include "formats/fasttext/make_fasttext.h"
#include "formats/registry.h"

namespace ambry::formats::fasttext {
namespace {

using formats::testing::File;
using formats::testing::Outcome;
using testing::classifier_file;
using testing::make_words;

Outcome read(const File& file) { return formats::testing::read(file, *find_format("fasttext")); }

// Turns word vectors into ones with three megabytes of rows, and an output.
void set_up_large_input(File& file) {
  constexpr uint32_t kBuckets = 25'000;
  constexpr uint64_t kRowBytes = 32 * sizeof(float);
  const size_t rows_at = file.size() - 8 * kRowBytes;
  store_le(file.data() + 40, kBuckets);
  store_le(file.data() + rows_at - 16, uint64_t{kBuckets + 3});
  file.resize(rows_at + (kBuckets + 3) * kRowBytes);
  formats::testing::put(file, uint8_t{0});
  formats::testing::put(file, uint64_t{3});
  formats::testing::put(file, uint64_t{32});
  file.resize(file.size() + 3 * kRowBytes);
}

TEST(FastTextParse, DescribesAClassifier) {
  const Outcome outcome = read(classifier_file("hs.bin"));
  ASSERT_TRUE(outcome.accepted()) << describe(outcome.model.error());
  const model::Model& model = *outcome.model;
  EXPECT_EQ(model.version, "12");
  EXPECT_EQ(model.metadata.find("model")->string(), "Supervised");
  EXPECT_EQ(model.config.find("loss")->string(), "hs");
  EXPECT_FALSE(model.words);
  ASSERT_TRUE(model.text_classifier);
  const model::TextClassifier& classifier = *model.text_classifier;
  EXPECT_EQ(classifier.loss, model::LabelLoss::HierarchicalSoftmax);
  EXPECT_EQ(classifier.dims, 6U);
  EXPECT_EQ(classifier.labels.size(), 11U);
  EXPECT_EQ(classifier.labels[0].substr(0, 9), "__label__");
  EXPECT_EQ(classifier.label_counts.size(), 11U);
  EXPECT_GE(classifier.label_counts.front(), classifier.label_counts.back());
  EXPECT_EQ(classifier.words.size(), classifier.n_words);
  ASSERT_EQ(model.tensors.size(), 2U);
  EXPECT_EQ(model.tensors[0].shape[0], classifier.n_words + 60);
  EXPECT_EQ(model.tensors[1].shape[0], 11U);
  EXPECT_EQ(model.tensors[1].offset + model.tensors[1].bytes, model.file_bytes);
}

TEST(FastTextParse, DescribesQuantizedMatrices) {
  const Outcome outcome = read(classifier_file("quantized-output.ftz"));
  ASSERT_TRUE(outcome.accepted());
  std::string names;
  for (const auto& tensor : outcome.model->tensors) names += tensor.name + " ";
  EXPECT_EQ(names,
            "input input.centroids input.norm_codes input.norms "
            "output output.centroids output.norm_codes output.norms ");
  EXPECT_EQ(outcome.model->text_classifier->input_group, 3U);
  EXPECT_EQ(outcome.model->text_classifier->output_group, 2U);
}

TEST(FastTextParse, DescribesWordVectors) {
  const Outcome outcome = read(make_words());
  ASSERT_TRUE(outcome.accepted());
  EXPECT_FALSE(outcome.model->text_classifier);
  ASSERT_TRUE(outcome.model->words);
  EXPECT_EQ(outcome.model->words->n_words, 3U);
  EXPECT_EQ(outcome.model->words->n_buckets, 5U);
  EXPECT_EQ(outcome.model->tensors.size(), 1U);
}

// Every byte of the file is a field or a tensor.
TEST(FastTextParse, MapsTheWholeFile) {
  for (const char* name : {"softmax.bin", "pruned.ftz", "quantized-output.ftz"}) {
    const Outcome outcome = read(classifier_file(name));
    ASSERT_TRUE(outcome.accepted());
    uint64_t bytes = 0;
    for (const auto& region : outcome.model->regions) bytes += region.bytes;
    for (const auto& tensor : outcome.model->tensors) bytes += tensor.bytes;
    EXPECT_EQ(bytes, outcome.model->file_bytes) << name;
  }
}

// Otherwise a source that can be read only once would be held until there, and then copied.
TEST(FastTextParse, AsksSequentialSourcesForTheHeadOnly) {
  File file = make_words();
  set_up_large_input(file);
  io::PartialSource source(file.size(), /*sequential_only=*/true);
  const Format& format = *find_format("fasttext");
  for (Outcome outcome = formats::testing::read(source, format); !outcome.model;
       outcome = formats::testing::read(source, format)) {
    const Error& need = outcome.model.error();
    ASSERT_EQ(need.code, ErrorCode::NeedBytes) << describe(need);
    ASSERT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
  EXPECT_LE(source.loaded_bytes(), uint64_t{1} << 20);
}

struct Fault {
  const char* name;
  void (*spoil)(File& file);
  ErrorCode code;
  const char* path;
  uint64_t offset;
};

void set(File& file, size_t at, uint32_t value) { store_le(file.data() + at, value); }

const Fault kFaults[] = {
    {"long n-grams of words", [](File& f) { set(f, 28, 257); }, ErrorCode::LimitExceeded,
     "header.wordNgrams", 28},
    {"long n-grams of characters", [](File& f) { set(f, 48, 1000); }, ErrorCode::LimitExceeded,
     "header.maxn", 48},
    {"bytes after the end", [](File& f) { f.push_back(0); }, ErrorCode::BadValue, "", 2789},
};

TEST(FastTextParse, RefusesClassifiersThatCannotRun) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.name);
    File file = classifier_file("hs.bin");
    fault.spoil(file);
    const Outcome outcome = read(file);
    ASSERT_FALSE(outcome.accepted());
    const Error& error = outcome.model ? outcome.found.errors.front() : outcome.model.error();
    EXPECT_EQ(error.code, fault.code) << describe(error);
    EXPECT_EQ(error.byte_offset, fault.offset) << describe(error);
    if (*fault.path != '\0') {
      EXPECT_EQ(error.path, fault.path);
    }
  }
}

// Finds the entry of a text and returns the offset of its first byte.
size_t entry_at(const File& file, std::string_view text) {
  return as_text(file).find(std::string(text) + '\0');
}

Error refusal(const File& file) {
  const Outcome outcome = read(file);
  EXPECT_FALSE(outcome.accepted());
  if (outcome.accepted()) return {};
  return outcome.model ? outcome.found.errors.front() : outcome.model.error();
}

TEST(FastTextParse, RefusesLabelsThatAreNotUtf8) {
  File file = classifier_file("softmax.bin");
  const size_t at = entry_at(file, "__label__eins");
  file[at + 9] = 0xFF;
  const Error error = refusal(file);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.byte_offset, at + 9);
}

// No text can match such a word, but models of the web have some.
TEST(FastTextParse, KeepsWordsOfClassifiersThatAreNotUtf8) {
  File file = classifier_file("softmax.bin");
  file[entry_at(file, "haus")] = 0xFF;
  EXPECT_TRUE(read(file).accepted());
}

TEST(FastTextParse, RefusesRepeatedEntries) {
  File file = classifier_file("softmax.bin");
  const size_t at = entry_at(file, "maus");
  const size_t other = entry_at(file, "haus");
  file[at] = 'h';
  const Error error = refusal(file);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.byte_offset, std::max(at, other));
}

// The tree could not be built of such counts.
TEST(FastTextParse, RefusesHugeCountsOfLabelsInATree) {
  for (const char* name : {"hs.bin", "ova.bin"}) {
    File file = classifier_file(name);
    const std::string_view label = "__label__zwei";
    const size_t at = entry_at(file, label) + label.size() + 1;
    store_le(file.data() + at, UINT64_MAX);
    const Outcome outcome = read(file);
    EXPECT_EQ(outcome.accepted(), std::string_view(name) == "ova.bin");
    if (outcome.accepted()) continue;
    EXPECT_EQ(outcome.found.errors.front().byte_offset, at);
  }
}

TEST(FastTextParse, RefusesClassifiersWithoutAnOutput) {
  File file = make_words();
  set(file, 36, 3);
  const Error error = refusal(file);
  EXPECT_EQ(error.code, ErrorCode::Truncated);
  EXPECT_EQ(error.path, "output.quantized");
}

TEST(FastTextParse, IgnoresNgramsOfCharactersInClassifiersOfVersion11) {
  File file = classifier_file("hs.bin");
  set(file, 4, 11);
  const Outcome outcome = read(file);
  ASSERT_TRUE(outcome.accepted());
  EXPECT_EQ(outcome.model->text_classifier->max_n, 0U);
}

}  // namespace
}  // namespace ambry::formats::fasttext

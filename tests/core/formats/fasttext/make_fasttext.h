// fastText files for tests: classifiers that its own program trained, and word vectors.
#pragma once

#include <cassert>
#include <string>
#include <vector>

#include "data_files.h"
#include "formats/fasttext/fasttext_write.h"
#include "formats/file_bytes.h"
#include "io/byte_writer.h"

namespace ambry::formats::fasttext::testing {

// A file of tests/fixtures/fasttext/classifiers.
inline std::vector<uint8_t> classifier_file(const std::string& name) {
  return *ambry::testing::read_file(ambry::testing::fixtures_folder() / "fasttext/classifiers" /
                                    name);
}

// Three words with n-grams, in the form that finalfusion's program writes: without an output.
inline std::vector<uint8_t> make_words() {
  constexpr uint64_t kDims = 32;
  model::WordVocabulary words;
  words.kind = model::WordVocabularyKind::FastText;
  for (const char* word : {"a", "straße", "日本"}) words.words.push_back(word);
  words.n_words = 3;
  words.min_n = 2;
  words.max_n = 4;
  words.n_buckets = 5;
  io::ByteWriter out;
  const auto head = put_head(words, kDims);
  assert(head);
  out.put_bytes(*head);
  for (uint64_t i = 0; i < words.n_rows() * kDims; ++i) out.put(static_cast<float>(i) / 8);
  return out.take();
}

}  // namespace ambry::formats::fasttext::testing

// Makes fastText models for tests, valid ones and ones with a fault.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "convert/words/run_words.h"
#include "data_files.h"
#include "io/byte_writer.h"

namespace ambry::convert::testing {

// A model that fastText itself wrote.
inline File fasttext_fixture(const std::string& name) {
  return *ambry::testing::read_file(ambry::testing::fixtures_folder() / "fasttext" / name);
}

// A model for a test. Fields that are not set have useful defaults.
struct FastTextMaker {
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

}  // namespace ambry::convert::testing

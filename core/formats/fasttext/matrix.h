// Where a matrix of a fastText file lies: as floats, or as the codes of a product quantizer.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/fasttext/dictionary.h"
#include "io/byte_reader.h"

namespace ambry::formats::fasttext {

// A product quantizer: 256 centroids for each group of numbers. The last group may be shorter.
struct QuantizerPlace {
  uint32_t dims = 0;
  uint32_t n_groups = 0;
  uint32_t group = 0;
  uint32_t last_group = 0;
  uint64_t centroids_offset = 0;  // of kCentroids floats for each of `dims`
};

struct MatrixPlace {
  uint64_t offset = 0;  // of the fields before the data
  uint64_t rows = 0;
  uint64_t cols = 0;
  uint64_t data_offset = 0;  // of the floats or of the codes
  std::optional<QuantizerPlace> quantizer = {};
  // Quantized lengths of the rows: a code for each, and kCentroids floats.
  std::optional<uint64_t> norm_codes_offset = {};
  uint64_t norms_offset = 0;
};

struct MatrixShape {
  uint64_t rows = 0;
  uint64_t cols = 0;
};

// The fields of a matrix of floats, and its place. The reader then stands after it.
[[nodiscard]] Result<MatrixPlace> read_plain_matrix(io::ByteReader& reader, MatrixShape expected);
[[nodiscard]] Result<MatrixPlace> read_quantized_matrix(io::ByteReader& reader,
                                                        MatrixShape expected);

// The flag before the input matrix, then the matrix: rows of words, then rows of n-grams.
[[nodiscard]] Result<MatrixPlace> read_input(io::ByteReader& reader, const Args& args,
                                             const Dictionary& dictionary);

// The place of a matrix of floats whose fields cannot be read yet, if it has the expected shape.
[[nodiscard]] MatrixPlace expected_plain_matrix(uint64_t offset, MatrixShape expected);

}  // namespace ambry::formats::fasttext

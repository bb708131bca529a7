#include "formats/fasttext/matrix.h"

#include <string_view>

#include "formats/fasttext/fasttext_layout.h"

namespace ambry::formats::fasttext {
namespace {

Result<void> check_shape(const io::ByteReader& reader, const MatrixPlace& place,
                         MatrixShape expected, uint64_t at) {
  if (place.rows != expected.rows) {
    return reader.fail(ErrorCode::Mismatch, at, "rows",
                       {place.rows, " rows, but the dictionary takes ", expected.rows});
  }
  if (place.cols == expected.cols) return {};
  return reader.fail(ErrorCode::Mismatch, at + sizeof(uint64_t), "cols",
                     {place.cols, " columns, but dim is ", expected.cols});
}

Result<QuantizerPlace> read_quantizer(io::ByteReader& reader, uint64_t dims, const char* name) {
  const auto scope = reader.enter(name);
  const uint64_t at = reader.position();
  QuantizerPlace place;
  AMBRY_TRY(place.dims, reader.read<uint32_t>("dim"));
  AMBRY_TRY(place.n_groups, reader.read<uint32_t>("nsubq"));
  AMBRY_TRY(place.group, reader.read<uint32_t>("dsub"));
  AMBRY_TRY(place.last_group, reader.read<uint32_t>("lastdsub"));
  const bool sound = place.dims == dims && place.n_groups > 0 && place.last_group > 0 &&
                     place.last_group <= place.group && place.group <= dims &&
                     uint64_t{place.n_groups - 1} * place.group + place.last_group == dims;
  if (!sound) {
    return reader.fail(ErrorCode::BadValue, at, "dim",
                       {"groups of ", place.group, ", ", place.n_groups, " of them, the last of ",
                        place.last_group, ", do not make ", dims, " numbers"});
  }
  place.centroids_offset = reader.position();
  AMBRY_RETURN_IF_ERROR(reader.skip(dims * kCentroids * sizeof(float), "centroids"));
  return place;
}

}  // namespace

MatrixPlace expected_plain_matrix(uint64_t offset, MatrixShape expected) {
  return {.offset = offset,
          .rows = expected.rows,
          .cols = expected.cols,
          .data_offset = offset + kPlainMatrixBytes};
}

Result<MatrixPlace> read_plain_matrix(io::ByteReader& reader, MatrixShape expected) {
  const uint64_t at = reader.position();
  MatrixPlace place = expected_plain_matrix(at, expected);
  AMBRY_TRY(place.rows, reader.read<uint64_t>("rows"));
  AMBRY_TRY(place.cols, reader.read<uint64_t>("cols"));
  AMBRY_RETURN_IF_ERROR(check_shape(reader, place, expected, at));
  // Rows are below 2^33 and columns at most 2^20.
  AMBRY_RETURN_IF_ERROR(reader.skip(place.rows * place.cols * sizeof(float), "data"));
  return place;
}

Result<MatrixPlace> read_quantized_matrix(io::ByteReader& reader, MatrixShape expected) {
  MatrixPlace place{.offset = reader.position()};
  AMBRY_TRY(const auto with_norms, reader.read<uint8_t>("qnorm"));
  const uint64_t at = reader.position();
  AMBRY_TRY(place.rows, reader.read<uint64_t>("rows"));
  AMBRY_TRY(place.cols, reader.read<uint64_t>("cols"));
  AMBRY_RETURN_IF_ERROR(check_shape(reader, place, expected, at));
  const uint64_t codes_at = reader.position();
  AMBRY_TRY(const auto n_codes, reader.read<uint32_t>("codesize"));
  place.data_offset = reader.position();
  AMBRY_RETURN_IF_ERROR(reader.skip(n_codes, "codes"));
  AMBRY_TRY(place.quantizer, read_quantizer(reader, place.cols, "pq"));
  if (place.rows * place.quantizer->n_groups != n_codes) {
    return reader.fail(
        ErrorCode::Mismatch, codes_at, "codesize",
        {n_codes, " codes for ", place.rows, " rows of ", place.quantizer->n_groups});
  }
  if (with_norms == 0) return place;
  place.norm_codes_offset = reader.position();
  AMBRY_RETURN_IF_ERROR(reader.skip(place.rows, "norm_codes"));
  AMBRY_TRY(const QuantizerPlace norms, read_quantizer(reader, 1, "npq"));
  place.norms_offset = norms.centroids_offset;
  return place;
}

Result<MatrixPlace> read_input(io::ByteReader& reader, const Args& args,
                               const Dictionary& dictionary) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const auto quantized, reader.read<uint8_t>("quantized"));
  if (quantized > 1) {
    return reader.fail(ErrorCode::BadValue, at, "quantized",
                       {uint32_t{quantized}, ", must be 0 or 1"});
  }
  const MatrixShape expected{dictionary.words.size() + dictionary.n_bucket_rows(args), args.dims};
  return quantized == 1 ? read_quantized_matrix(reader, expected)
                        : read_plain_matrix(reader, expected);
}

}  // namespace ambry::formats::fasttext

#include "formats/fasttext/fasttext_parse.h"

#include <algorithm>
#include <utility>

#include "formats/fasttext/fasttext_layout.h"
#include "formats/fasttext/matrix.h"
#include "io/byte_reader.h"

namespace ambry::formats::fasttext {
namespace {

Result<std::vector<float>> read_floats(const io::Source& source, uint64_t offset, uint64_t count,
                                       const char* path) {
  AMBRY_TRY(const Bytes bytes, source.view(offset, count * sizeof(float), path));
  std::vector<float> floats(static_cast<size_t>(count));
  std::ranges::copy(bytes, reinterpret_cast<uint8_t*>(floats.data()));
  return floats;
}

Result<void> read_quantizer(const io::Source& source, const MatrixPlace& place, File& file) {
  const QuantizerPlace& quantizer = *place.quantizer;
  Quantizer& made = file.quantizer.emplace();
  made.n_groups = quantizer.n_groups;
  made.group = quantizer.group;
  made.last_group = quantizer.last_group;
  AMBRY_TRY(made.centroids, read_floats(source, quantizer.centroids_offset, place.cols * kCentroids,
                                        "input.pq.centroids"));
  if (!place.norm_codes_offset) return {};
  AMBRY_TRY(const auto norms,
            read_floats(source, place.norms_offset, kCentroids, "input.npq.centroids"));
  AMBRY_TRY(const Bytes codes,
            source.view(*place.norm_codes_offset, place.rows, "input.norm_codes"));
  file.row_norms.reserve(codes.size());
  for (const uint8_t code : codes) file.row_norms.push_back(norms[code]);
  return {};
}

}  // namespace

Result<File> parse(const io::Source& source) {
  io::ByteReader reader(source);
  reader.set_read_ahead(std::min(source.size(), kReadAhead));
  AMBRY_TRY(Header header, read_header(reader));
  AMBRY_TRY(Dictionary dictionary, read_dictionary(source, reader, header.args, BadLabel::Replace));
  File file{std::move(dictionary), header.version, header.args, 0, 0, {}, {}};
  const auto scope = reader.enter("input");
  AMBRY_TRY(const MatrixPlace place, read_input(reader, header.args, file));
  file.rows = place.rows;
  file.data_offset = place.data_offset;
  if (place.quantizer) AMBRY_RETURN_IF_ERROR(read_quantizer(source, place, file));
  return file;
}

}  // namespace ambry::formats::fasttext

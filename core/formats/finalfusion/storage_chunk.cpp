#include "formats/finalfusion/storage_chunk.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/finalfusion/finalfusion_layout.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::finalfusion {
namespace {

using tensor::DType;

// Tensors one after another, from the reader's position on.
class TensorRun {
 public:
  TensorRun(io::ByteReader& reader, model::Model& model) : reader_(reader), model_(model) {}

  // `field_offset` is where the file states the first dimension.
  Result<void> add(std::string_view name, DType dtype, const tensor::Shape& shape,
                   uint64_t field_offset, uint32_t value_limit = 0) {
    model::TensorEntry tensor;
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.index_offset = field_offset;
    tensor.value_limit = value_limit;
    tensor.offset = reader_.position();
    const auto bytes = model::byte_size(shape, dtype);
    if (!bytes) {
      return error_at(ErrorCode::Overflow, field_offset, tensor.name,
                      {to_string(shape), " passes 64 bits"});
    }
    if (*bytes > reader_.remaining()) {
      return error_at(ErrorCode::Truncated, tensor.offset, tensor.name,
                      {*bytes, " bytes expected for ", to_string(shape), ", ", reader_.remaining(),
                       " left before the end of the file"});
    }
    tensor.bytes = *bytes;
    reader_.seek(tensor.offset + *bytes);
    model_.tensors.push_back(std::move(tensor));
    return {};
  }

 private:
  io::ByteReader& reader_;
  model::Model& model_;
};

Result<void> read_nd_array(io::ByteReader& reader, const ChunkHead& head,
                           io::Diagnostics& diagnostics, model::Model& model) {
  const uint64_t rows_at = reader.position();
  AMBRY_TRY(const auto rows, reader.read<uint64_t>("rows"));
  const uint64_t columns_at = reader.position();
  AMBRY_TRY(const auto columns, reader.read<uint32_t>("cols"));
  if (columns == 0) {
    return reader.fail(ErrorCode::BadValue, columns_at, "cols", "vectors of no numbers");
  }
  AMBRY_RETURN_IF_ERROR(read_type(reader, kTypeF32, "type"));
  AMBRY_RETURN_IF_ERROR(read_padding(reader, diagnostics));
  model.regions.push_back({"storage", head.offset, reader.position() - head.offset});
  model.tensors.reserve(2);
  return TensorRun(reader, model).add(kStorage, DType::F32, {rows, columns}, rows_at);
}

struct QuantizedFields {
  bool projection = false;
  bool norms = false;
  uint32_t quantized_len = 0;
  uint32_t reconstructed_len = 0;
  uint32_t n_centroids = 0;
  uint64_t rows = 0;
};

// Any value but 0 means that the part exists. Writers use 1.
Result<bool> read_flag(io::ByteReader& reader, const char* field, io::Diagnostics& diagnostics) {
  const uint64_t at = reader.position();
  AMBRY_TRY(const auto flag, reader.read<uint32_t>(field));
  if (flag > 1) {
    diagnostics.tolerate(
        reader.fail(ErrorCode::BadValue, at, field, {flag, ", taken as true; writers put 1"}));
  }
  return flag != 0;
}

Result<QuantizedFields> read_quantized_fields(io::ByteReader& reader,
                                              io::Diagnostics& diagnostics) {
  QuantizedFields fields;
  AMBRY_TRY(fields.projection, read_flag(reader, "projection", diagnostics));
  AMBRY_TRY(fields.norms, read_flag(reader, "norms", diagnostics));
  const uint64_t at = reader.position();
  AMBRY_TRY(fields.quantized_len, reader.read<uint32_t>("quantized_len"));
  AMBRY_TRY(fields.reconstructed_len, reader.read<uint32_t>("reconstructed_len"));
  if (fields.quantized_len == 0) {
    return reader.fail(ErrorCode::BadValue, at, "quantized_len", "must not be 0");
  }
  if (fields.reconstructed_len == 0 || fields.reconstructed_len % fields.quantized_len != 0) {
    return reader.fail(
        ErrorCode::BadValue, at + 4, "reconstructed_len",
        {fields.reconstructed_len, " is no multiple of quantized_len ", fields.quantized_len});
  }
  AMBRY_TRY(fields.n_centroids, reader.read<uint32_t>("n_centroids"));
  if (fields.n_centroids == 0) {
    return reader.fail(ErrorCode::BadValue, at + 8, "n_centroids", "must not be 0");
  }
  AMBRY_TRY(fields.rows, reader.read<uint64_t>("rows"));
  AMBRY_RETURN_IF_ERROR(read_type(reader, kTypeU8, "quantized_type"));
  AMBRY_RETURN_IF_ERROR(read_type(reader, kTypeF32, "reconstructed_type"));
  return fields;
}

Result<void> read_quantized(io::ByteReader& reader, const ChunkHead& head,
                            io::Diagnostics& diagnostics, model::Model& model) {
  AMBRY_TRY(const QuantizedFields fields, read_quantized_fields(reader, diagnostics));
  AMBRY_RETURN_IF_ERROR(read_padding(reader, diagnostics));
  model.regions.push_back({"storage", head.offset, reader.position() - head.offset});
  const uint64_t quantized_len_at = head.payload() + 8;
  const uint64_t reconstructed_len_at = head.payload() + 12;
  const uint64_t rows_at = head.payload() + 20;
  const uint64_t width = fields.reconstructed_len;
  model.tensors.reserve(5);
  TensorRun run(reader, model);
  if (fields.projection) {
    AMBRY_RETURN_IF_ERROR(run.add(kProjection, DType::F32, {width, width}, reconstructed_len_at));
  }
  const tensor::Shape centroids{fields.quantized_len, fields.n_centroids,
                                width / fields.quantized_len};
  AMBRY_RETURN_IF_ERROR(run.add(kCentroids, DType::F32, centroids, quantized_len_at));
  if (fields.norms) {
    AMBRY_RETURN_IF_ERROR(run.add(kQuantizedNorms, DType::F32, {fields.rows}, rows_at));
  }
  return run.add(kCodes, DType::U8, {fields.rows, fields.quantized_len}, rows_at,
                 fields.n_centroids);
}

}  // namespace

Result<uint64_t> read_storage(const io::Source& source, io::ByteReader& reader,
                              const ChunkHead& head, io::Diagnostics& diagnostics,
                              model::Model& model) {
  if (head.id == kNdArray) {
    AMBRY_RETURN_IF_ERROR(read_nd_array(reader, head, diagnostics, model));
  } else {
    AMBRY_RETURN_IF_ERROR(read_quantized(reader, head, diagnostics, model));
  }
  check_length(reader, head, reader.position(), source.size(), diagnostics);
  return reader.position();
}

Result<uint64_t> read_norms(const io::Source& source, io::ByteReader& reader, const ChunkHead& head,
                            io::Diagnostics& diagnostics, model::Model& model) {
  const uint64_t count_at = reader.position();
  AMBRY_TRY(const auto count, reader.read<uint64_t>("n"));
  AMBRY_RETURN_IF_ERROR(read_type(reader, kTypeF32, "type"));
  AMBRY_RETURN_IF_ERROR(read_padding(reader, diagnostics));
  const uint64_t end = reader.position();
  AMBRY_RETURN_IF_ERROR(TensorRun(reader, model).add(kNorms, DType::F32, {count}, count_at));
  model.regions.push_back({"norms", head.offset, end - head.offset});
  check_length(reader, head, reader.position(), source.size(), diagnostics);
  return reader.position();
}

}  // namespace ambry::formats::finalfusion

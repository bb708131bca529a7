#include "formats/embd/embd_tensor_index.h"

#include <string>
#include <string_view>
#include <utility>

#include "formats/embd/embd_layout.h"
#include "io/byte_reader.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::embd {
namespace {

class IndexReader {
 public:
  IndexReader(const io::Source& source, const F0Header& header, io::Diagnostics& diagnostics)
      : source_(source), header_(header), diagnostics_(diagnostics) {}

  Result<std::vector<model::TensorEntry>> read();

 private:
  // What a descriptor states about the tensor's name, which comes after all descriptors.
  struct Name {
    uint32_t hash;
    uint16_t length;
  };

  Result<void> read_descriptor(const uint8_t* record, uint32_t i, Name& name);
  Result<void> read_names(const std::vector<Name>& names);
  void check_alignment(const model::TensorEntry& tensor, size_t index);

  const io::Source& source_;
  const F0Header& header_;
  io::Diagnostics& diagnostics_;
  std::vector<model::TensorEntry> tensors_;
};

Result<std::vector<model::TensorEntry>> IndexReader::read() {
  if (header_.index_count > io::kMaxTensors) {
    return error_at(ErrorCode::LimitExceeded, kIndexCountAt, "header.tensor_index_count",
                    {header_.index_count, " tensors, at most ", io::kMaxTensors});
  }
  // Each name has at least one byte, and the names end before the data begins.
  const uint64_t least = uint64_t{header_.index_count} * (kDescriptorBytes + 1);
  if (header_.index_offset > header_.data_offset ||
      least > header_.data_offset - header_.index_offset) {
    return error_at(
        ErrorCode::Truncated, kIndexCountAt, "header.tensor_index_count",
        {header_.index_count, " descriptors and names do not fit before the tensor data"});
  }
  AMBRY_TRY(const Bytes index,
            source_.view(header_.index_offset, header_.index_count * kDescriptorBytes, "tensors"));
  tensors_.resize(header_.index_count);
  std::vector<Name> names(header_.index_count);
  for (uint32_t i = 0; i < header_.index_count; ++i) {
    AMBRY_RETURN_IF_ERROR(read_descriptor(index.data() + i * kDescriptorBytes, i, names[i]));
  }
  AMBRY_RETURN_IF_ERROR(read_names(names));
  if (header_.has(kFlagTensorsAligned)) {
    for (size_t i = 0; i < tensors_.size(); ++i) check_alignment(tensors_[i], i);
  }
  model::check_names_unique(tensors_, diagnostics_);
  model::check_regions_disjoint(tensors_, diagnostics_);
  return std::move(tensors_);
}

Result<void> IndexReader::read_descriptor(const uint8_t* record, uint32_t i, Name& name) {
  model::TensorEntry& tensor = tensors_[i];
  tensor.index_offset = header_.index_offset + uint64_t{i} * kDescriptorBytes;
  const auto fail = [&](ErrorCode code, uint64_t at, const char* field, const Text& message) {
    return error_at(code, tensor.index_offset + at, {"tensors[", i, "].", field}, message);
  };
  name = {load_le<uint32_t>(record), load_le<uint16_t>(record + 6)};  // compared later
  const uint8_t dtype = record[4];
  if (dtype >= kDTypes.size()) {
    return fail(ErrorCode::Unsupported, 4, "dtype", {"data type ", dtype, ", known are 0 to 8"});
  }
  tensor.dtype = kDTypes[dtype];
  const uint8_t rank = record[5];
  if (rank == 0 || rank > kMaxRank) {
    return fail(ErrorCode::BadValue, 5, "ndim", {rank, " dimensions, allowed are 1 to 4"});
  }
  if (name.length == 0) return fail(ErrorCode::BadValue, 6, "name_length", "an empty name");
  for (size_t axis = 0; axis < kMaxRank; ++axis) {
    const uint64_t at = 8 + axis * sizeof(uint32_t);
    const char* field = kShapeFields[axis];
    const auto extent = load_le<uint32_t>(record + at);
    if (axis < rank) {
      if (extent == 0) return fail(ErrorCode::BadValue, at, field, "a dimension of size 0");
      tensor.shape.push_back(extent);
    } else if (extent != 0) {
      diagnostics_.tolerate(
          fail(ErrorCode::BadValue, at, field, "not zero, but past the last dimension"));
    }
  }
  const auto offset = load_le<uint64_t>(record + 24);
  const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
  if (!bytes) return fail(ErrorCode::Overflow, 8, "shape", "the size passes 64 bits");
  if (offset > header_.data_size || *bytes > header_.data_size - offset) {
    return fail(ErrorCode::Truncated, 24, "data_offset",
                {*bytes, " bytes from ", offset, " on pass the end of the tensor data"});
  }
  tensor.offset = header_.data_offset + offset;
  tensor.bytes = *bytes;
  return {};
}

Result<void> IndexReader::read_names(const std::vector<Name>& names) {
  const uint64_t start = header_.index_offset + uint64_t{header_.index_count} * kDescriptorBytes;
  uint64_t total = 0;
  for (const Name& name : names) total += name.length;
  const uint64_t limit = header_.data_offset;
  if (start > limit || total > limit - start) {
    return error_at(ErrorCode::Truncated, kIndexOffsetAt, "tensor_names",
                    {"the names of the tensors (", total, " bytes) run into the tensor data"});
  }
  AMBRY_RETURN_IF_ERROR(source_.view(start, total, "tensor_names"));
  io::ByteReader reader(source_, start);
  for (size_t i = 0; i < names.size(); ++i) {
    model::TensorEntry& tensor = tensors_[i];
    const auto scope = reader.enter("tensors", i);
    AMBRY_TRY(const auto name, reader.read_utf8(names[i].length, "name"));
    if (const size_t nul = name.find('\0'); nul != std::string_view::npos) {
      return reader.fail(ErrorCode::BadValue, reader.position() - name.size() + nul, "name",
                         "a NUL byte in the name");
    }
    tensor.name = name;
    if (names[i].hash != name_hash(name)) {
      diagnostics_.tolerate(reader.fail(ErrorCode::Mismatch, tensor.index_offset, "name_hash",
                                        {"not the FNV-1a hash of \"", name, "\""}));
    }
  }
  return {};
}

// TENSORS_ALIGNED means a multiple of 64 in the file and in the data section. Files that satisfy
// only one of them are accepted, because nothing here depends on it.
void IndexReader::check_alignment(const model::TensorEntry& tensor, size_t index) {
  const bool in_file = tensor.offset % kDataAlignment == 0;
  const bool in_section = (tensor.offset - header_.data_offset) % kDataAlignment == 0;
  if (in_file && in_section) return;
  Failure problem =
      error_at(ErrorCode::BadValue, tensor.index_offset + 24, {"tensors[", index, "].data_offset"},
               "not a multiple of 64 although TENSORS_ALIGNED is set");
  if (in_file || in_section) {
    problem->message += in_file ? " (only in the file)" : " (only within the tensor data)";
    diagnostics_.warn(std::move(problem));
  } else {
    diagnostics_.tolerate(std::move(problem));
  }
}

}  // namespace

Result<std::vector<model::TensorEntry>> read_tensor_index(const io::Source& source,
                                                          const F0Header& header,
                                                          io::Diagnostics& diagnostics) {
  return IndexReader(source, header, diagnostics).read();
}

}  // namespace ambry::formats::embd

#include "formats/alt/tensor_section.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "io/byte_reader.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::alt {
namespace {

// The record of an ordinary tensor, so that one request for each tensor is enough.
constexpr uint64_t kUsualRecord = 128;
// One dimension, one byte of name, one float16.
constexpr uint64_t kMinTensorBytes = kTensorHeaderBytes + 4 + 1 + 2;
constexpr std::array<const char*, tensor::Shape::kMaxRank> kShapeFields = {
    "shape[0]", "shape[1]", "shape[2]", "shape[3]", "shape[4]", "shape[5]", "shape[6]", "shape[7]"};

class Reader {
 public:
  Reader(const io::Source& source, SectionWalk& walk, const SectionHead& head,
         io::Diagnostics& diagnostics, model::Model& model)
      : source_(source),
        walk_(walk),
        head_(head),
        reader_(source, head.body()),
        diagnostics_(diagnostics),
        model_(model) {}

  Result<TensorsRead> read() {
    AMBRY_RETURN_IF_ERROR(read_counts());
    model_.regions.push_back({"tensors", head_.at, kSectionHeaderBytes + kTensorCountsBytes});
    // The first pass stores nothing: a table entry takes more memory than the few bytes that a
    // false count needs.
    const uint64_t start = reader_.position();
    auto walked = walk_records(false);
    if (!walked && read_.first_qint8 < reader_.position() &&
        walked.error().code == ErrorCode::BadValue) {
      return other_qint8(read_.first_qint8);
    }
    AMBRY_TRY(const uint64_t found, std::move(walked));
    reader_.seek(start);
    model_.tensors.reserve(static_cast<size_t>(found));
    AMBRY_RETURN_IF_ERROR(walk_records(true));
    check_counts(found);
    model::check_names_unique(model_.tensors, diagnostics_);
    read_.end = reader_.position();
    return read_;
  }

 private:
  Result<void> read_counts() {
    const auto scope = reader_.enter("tensors");
    AMBRY_TRY(count_, read_count("tensor_count"));
    AMBRY_TRY(stated_extents_, read_count("shape_count"));
    AMBRY_RETURN_IF_ERROR(
        reader_.check_count(count_, kMinTensorBytes, "tensor_count", head_.body()));
    if (count_ <= io::kMaxTensors) return {};
    return reader_.fail(ErrorCode::LimitExceeded, head_.body(), "tensor_count",
                        {count_, " tensors, at most ", io::kMaxTensors});
  }

  Result<uint64_t> read_count(const char* field) {
    const uint64_t at = reader_.position();
    AMBRY_TRY(const auto value, reader_.read<int64_t>(field));
    if (value >= 0) return static_cast<uint64_t>(value);
    return reader_.fail(ErrorCode::BadValue, at, field, "negative: " + std::to_string(value));
  }

  // Returns the number of records, which is less than stated if the end marker comes first.
  Result<uint64_t> walk_records(bool keep) {
    for (uint64_t i = 0; i < count_; ++i) {
      AMBRY_TRY(const bool ends, ends_here());
      if (ends) return i;
      const auto scope = reader_.enter("tensors", i);
      AMBRY_TRY(model::TensorEntry tensor, read_tensor(keep));
      if (!keep) continue;
      n_extents_ += tensor.shape.rank();
      model_.regions.push_back(
          {"record header", tensor.index_offset, tensor.offset - tensor.index_offset});
      model_.tensors.push_back(std::move(tensor));
    }
    return count_;
  }

  // Checked only where no whole record fits before the end of the file.
  Result<bool> ends_here() const {
    if (reader_.remaining() >= kAlignment + kMinTensorBytes) return false;
    return walk_.is_section_end(reader_.position());
  }

  Result<model::TensorEntry> read_tensor(bool complain) {
    const uint64_t start = reader_.position();
    AMBRY_RETURN_IF_ERROR(
        source_.view(start, std::min(kUsualRecord, reader_.remaining()), "tensors"));
    model::TensorEntry tensor;
    tensor.index_offset = start;
    AMBRY_TRY(const auto rank, reader_.read<int32_t>("n_dims"));
    if (rank < 1 || rank > static_cast<int32_t>(tensor::Shape::kMaxRank)) {
      return reader_.fail(ErrorCode::BadValue, start, "n_dims",
                          std::to_string(rank) + " dimensions, allowed are 1 to 8");
    }
    const uint64_t length_at = reader_.position();
    AMBRY_TRY(const auto name_length, reader_.read<int32_t>("name_length"));
    if (name_length < 1 || name_length > kMaxTensorName) {
      return reader_.fail(ErrorCode::BadValue, length_at, "name_length",
                          std::to_string(name_length) + " bytes, allowed are 1 to 65536");
    }
    const uint64_t type_at = reader_.position();
    AMBRY_TRY(tensor.dtype, read_data_type());
    AMBRY_RETURN_IF_ERROR(read_shape(static_cast<size_t>(rank), tensor));
    AMBRY_TRY(tensor.name, read_name(static_cast<uint64_t>(name_length), complain));
    AMBRY_TRY(tensor.bytes, size_of(tensor, type_at));
    tensor.offset = reader_.position();
    AMBRY_RETURN_IF_ERROR(reader_.skip(tensor.bytes, "data"));
    return tensor;
  }

  Result<tensor::DType> read_data_type() {
    const uint64_t at = reader_.position();
    AMBRY_TRY(const auto code, reader_.read<int32_t>("data_type"));
    if (const auto dtype = dtype_of(code)) return *dtype;
    if (code >= 0 && code < static_cast<int32_t>(kDataTypes.size())) {
      return reader_.fail(
          ErrorCode::Unsupported, at, "data_type",
          {"the type ", kDataTypes[static_cast<size_t>(code)], ", whose layout no document gives"});
    }
    return reader_.fail(ErrorCode::BadValue, at, "data_type",
                        std::to_string(code) + " is no data type");
  }

  Result<void> read_shape(size_t rank, model::TensorEntry& tensor) {
    for (size_t axis = 0; axis < rank; ++axis) {
      const uint64_t at = reader_.position();
      AMBRY_TRY(const auto extent, reader_.read<int32_t>(kShapeFields[axis]));
      if (extent < 1) {
        return reader_.fail(ErrorCode::BadValue, at, kShapeFields[axis],
                            "a dimension of " + std::to_string(extent));
      }
      tensor.shape.push_back(static_cast<uint64_t>(extent));
    }
    return {};
  }

  Result<std::string> read_name(uint64_t length, bool complain) {
    const uint64_t at = reader_.position();
    AMBRY_TRY(std::string_view name, reader_.read_utf8(length, "name"));
    if (name.ends_with('\0')) {
      name.remove_suffix(1);
      if (complain) {
        diagnostics_.tolerate(reader_.fail(ErrorCode::BadValue, at + name.size(), "name",
                                           "ends in a NUL, which is not part of a name"));
      }
    }
    const size_t nul = name.find('\0');
    if (!name.empty() && nul == std::string_view::npos) return std::string(name);
    return reader_.fail(ErrorCode::BadValue, at + (name.empty() ? 0 : nul), "name",
                        name.empty() ? "an empty name" : "a NUL byte in the name");
  }

  Result<uint64_t> size_of(const model::TensorEntry& tensor, uint64_t type_at) {
    const uint64_t shape_at = type_at + sizeof(int32_t);
    if (tensor.dtype == tensor::DType::Q8_0) {
      if (tensor.shape[tensor.shape.rank() - 1] % kQint8Block != 0) {
        return reader_.fail(ErrorCode::Unsupported, type_at, "data_type",
                            {"qint8 of ", to_string(tensor.shape),
                             ", which does not divide into rows of 32-element blocks"});
      }
      read_.first_qint8 = std::min(read_.first_qint8, type_at);
    }
    const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
    if (bytes) return *bytes;
    return reader_.fail(ErrorCode::Overflow, shape_at, "shape", "the size passes 64 bits");
  }

  void check_counts(uint64_t found) {
    const auto scope = reader_.enter("tensors");
    if (found != count_) {
      diagnostics_.error(reader_.fail(ErrorCode::Mismatch, head_.body(), "tensor_count",
                                      {count_, " tensors stated, ", found, " are there"}));
    }
    if (n_extents_ != stated_extents_) {
      diagnostics_.tolerate(reader_.fail(
          ErrorCode::Mismatch, head_.body() + sizeof(int64_t), "shape_count",
          {stated_extents_, " stated, all shapes together have ", n_extents_, " extents"}));
    }
  }

  const io::Source& source_;
  SectionWalk& walk_;
  SectionHead head_;
  io::ByteReader reader_;
  io::Diagnostics& diagnostics_;
  model::Model& model_;
  uint64_t count_ = 0;
  uint64_t stated_extents_ = 0;
  uint64_t n_extents_ = 0;
  TensorsRead read_;
};

}  // namespace

Failure other_qint8(uint64_t type_at) {
  return error_at(ErrorCode::Unsupported, type_at, "tensors.data_type",
                  "qint8 in a layout that is not the one read here: blocks of 32 with a float16 "
                  "scale");
}

Result<TensorsRead> read_tensors(const io::Source& source, SectionWalk& walk,
                                 const SectionHead& head, io::Diagnostics& diagnostics,
                                 model::Model& model) {
  return Reader(source, walk, head, diagnostics, model).read();
}

}  // namespace ambry::formats::alt

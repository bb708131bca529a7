#include "formats/amb/weights_section.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/byte_reader.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"
#include "model/metadata/metadata_value.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::formats::amb {
namespace {

using tensor::Quantization;

// The padding before a record, an ordinary name, the shape and the quantization prefix, so that one
// request for each tensor is enough.
constexpr uint64_t kUsualRecordHead = 256;
// The most bytes after a name: ndim, dimensions, dtype, prefix, data size.
constexpr uint64_t kAfterName = 1 + 4 * kMaxRank + 1 + tensor::kQuantPrefixBytes + 8;
// Masks up to this size are checked here. Longer ones are checked when the data is read.
constexpr uint64_t kMaxMaskRead = 4096;

constexpr std::array<const char*, kMaxRank> kShapeFields = {
    "shape[0]", "shape[1]", "shape[2]", "shape[3]", "shape[4]", "shape[5]", "shape[6]", "shape[7]"};

enum class Prefix : uint8_t { InData, Absent, BeforeSize };

struct Reading {
  std::string_view name;
  std::string_view difference;
  Prefix prefix = Prefix::InData;
  bool across_rows = false;
  bool relative_padding = false;
};

constexpr auto kReadings = std::to_array<Reading>({
    {"R1", ""},
    {"R2", "the blocks of quantized tensors run across their rows", Prefix::InData, true},
    {"R3", "quantized tensors have no prefix and follow config.quant", Prefix::Absent},
    {"R4", "the quantization prefix comes before the data size", Prefix::BeforeSize},
    {"R5", "padding counts from the start of the weights section", Prefix::InData, false, true},
});

// One pass over the section in one layout.
class Walk {
 public:
  Walk(const io::Source& source, const Sections& sections, const Reading& reading,
       const Quantization& from_config)
      : source_(source),
        sections_(sections),
        reading_(reading),
        from_config_(from_config),
        reader_(source, sections.weights) {}

  // Succeeds when the records end where the section ends. Stores nothing unless `keep` is given: a
  // table entry takes more memory than the 16 bytes of the smallest record. With `keep`, deviations
  // that strict reading rejects are collected in `diagnostics`.
  Result<void> run(model::Model* keep = nullptr, io::Diagnostics* diagnostics = nullptr);

  [[nodiscard]] size_t n_tensors() const { return n_tensors_; }
  [[nodiscard]] uint64_t position() const { return reader_.position(); }

 private:
  [[nodiscard]] uint64_t left() const { return sections_.end - reader_.position(); }
  Failure fail(ErrorCode code, uint64_t at, const char* field, const Text& message) const {
    return reader_.fail(code, at, field, message);
  }

  Result<void> view_head(uint64_t padding);
  Result<void> skip_padding(io::Diagnostics* diagnostics);
  Result<model::TensorEntry> read_record();
  Result<void> read_shape(model::TensorEntry& tensor);
  Result<void> read_size(model::TensorEntry& tensor, uint8_t code);
  Result<Quantization> read_prefix(uint8_t code);
  Result<void> check_size(const model::TensorEntry& tensor, uint64_t size_at);
  Result<void> check_quantized_size(const model::TensorEntry& tensor, uint64_t size_at);
  Result<void> check_mask(const model::TensorEntry& tensor, const tensor::PayloadLayout& layout,
                          uint64_t size_at);

  const io::Source& source_;
  const Sections& sections_;
  const Reading& reading_;
  const Quantization& from_config_;
  io::ByteReader reader_;
  size_t n_tensors_ = 0;
  uint64_t shape_at_ = 0;   // in the current record
  uint64_t prefix_at_ = 0;  // 0 without one
};

Result<void> Walk::run(model::Model* keep, io::Diagnostics* diagnostics) {
  n_tensors_ = 0;
  reader_.seek(sections_.weights);
  AMBRY_RETURN_IF_ERROR(view_head(0));
  while (left() > 0) {
    const auto scope = reader_.enter("tensors", n_tensors_);
    if (n_tensors_ == io::kMaxTensors) {
      return fail(ErrorCode::LimitExceeded, reader_.position(), "name_length",
                  {"more than ", io::kMaxTensors, " tensors"});
    }
    AMBRY_TRY(model::TensorEntry tensor, read_record());
    ++n_tensors_;
    if (keep != nullptr) {
      keep->regions.push_back(
          {"record header", tensor.index_offset, tensor.offset - tensor.index_offset});
      keep->tensors.push_back(std::move(tensor));
    }
    AMBRY_RETURN_IF_ERROR(skip_padding(diagnostics));
  }
  return {};
}

// Requests the padding and the usual fields of the next record in one range.
Result<void> Walk::view_head(uint64_t padding) {
  const uint64_t wanted = std::min(padding + kUsualRecordHead, left());
  AMBRY_RETURN_IF_ERROR(source_.view(reader_.position(), wanted, reader_.path_of("padding")));
  return {};
}

// There is padding after every tensor (README.md#padding), but after the last it may be missing.
Result<void> Walk::skip_padding(io::Diagnostics* diagnostics) {
  const uint64_t start = reader_.position();
  const uint64_t base = reading_.relative_padding ? sections_.weights : 0;
  const uint64_t size = (kTensorAlignment - (start - base) % kTensorAlignment) % kTensorAlignment;
  if (size > 0 && left() == 0) {
    if (diagnostics != nullptr) {
      diagnostics->tolerate(fail(ErrorCode::Truncated, start, "padding",
                                 "the padding after the last tensor is missing"));
    }
    return {};
  }
  if (size > left()) {
    return fail(ErrorCode::Truncated, start, "padding",
                {size, " bytes of padding, ", left(), " left in the weights section"});
  }
  AMBRY_RETURN_IF_ERROR(view_head(size));
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(size, "padding"));
  const bool zeros = std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
  if (!zeros && diagnostics != nullptr) {
    diagnostics->tolerate(fail(ErrorCode::BadValue, start, "padding", "not zeros"));
  }
  return {};
}

Result<model::TensorEntry> Walk::read_record() {
  const uint64_t start = reader_.position();
  model::TensorEntry tensor;
  tensor.index_offset = start;
  if (left() < sizeof(uint16_t)) {
    return fail(ErrorCode::Truncated, start, "name_length", "the weights section ends before");
  }
  AMBRY_TRY(const auto name_length, reader_.read<uint16_t>("name_length"));
  if (name_length == 0) return fail(ErrorCode::BadValue, start, "name_length", "an empty name");
  // Requests all of a record with a long name at once.
  const uint64_t whole = sizeof(uint16_t) + name_length + kAfterName;
  if (whole > kUsualRecordHead) {
    AMBRY_RETURN_IF_ERROR(
        source_.view(start, std::min(whole, sections_.end - start), reader_.path_of("name")));
  }
  // The smallest rest: ndim, dtype, data size.
  if (left() < name_length + uint64_t{1 + 1 + 8}) {
    return fail(ErrorCode::Truncated, start, "name_length",
                {"a name of ", name_length, " bytes passes the end of the weights section"});
  }
  AMBRY_TRY(const auto name, reader_.read_utf8(name_length, "name"));
  tensor.name = name;
  AMBRY_RETURN_IF_ERROR(read_shape(tensor));
  const uint64_t dtype_at = reader_.position();
  AMBRY_TRY(const auto code, reader_.read<uint8_t>("dtype"));
  if (code >= kDTypes.size()) {
    return fail(ErrorCode::Unsupported, dtype_at, "dtype",
                {"data type ", code, ", known are 0 to 8"});
  }
  tensor.dtype = kDTypes[code];
  AMBRY_RETURN_IF_ERROR(read_size(tensor, code));
  reader_.seek(tensor.offset + tensor.bytes);
  return tensor;
}

Result<void> Walk::read_shape(model::TensorEntry& tensor) {
  const uint64_t rank_at = reader_.position();
  AMBRY_TRY(const auto rank, reader_.read<uint8_t>("ndim"));
  if (rank > kMaxRank) {
    return fail(ErrorCode::BadValue, rank_at, "ndim",
                {rank, " dimensions, allowed are 0 to ", kMaxRank});
  }
  if (left() < rank * uint64_t{4} + 1 + 8) {
    return fail(ErrorCode::Truncated, rank_at, "ndim", "the weights section ends before the shape");
  }
  shape_at_ = reader_.position();
  for (size_t axis = 0; axis < rank; ++axis) {
    const uint64_t at = reader_.position();
    AMBRY_TRY(const auto extent, reader_.read<uint32_t>(kShapeFields[axis]));
    if (extent == 0) {
      return fail(ErrorCode::BadValue, at, kShapeFields[axis], "a dimension of size 0");
    }
    tensor.shape.push_back(extent);
  }
  return {};
}

// Reads the data size and the prefix in the order of this layout. Sets `offset` and `bytes` of the
// data.
Result<void> Walk::read_size(model::TensorEntry& tensor, uint8_t code) {
  const bool quantized = !tensor::is_plain(tensor.dtype);
  prefix_at_ = 0;
  if (quantized && reading_.prefix == Prefix::BeforeSize) {
    AMBRY_TRY(tensor.quantization, read_prefix(code));
    tensor.quantization->prefix_bytes = 0;
  }
  const uint64_t size_at = reader_.position();
  if (left() < sizeof(uint64_t)) {
    return fail(ErrorCode::Truncated, size_at, "data_size", "the weights section ends before");
  }
  AMBRY_TRY(tensor.bytes, reader_.read<uint64_t>("data_size"));
  tensor.offset = reader_.position();
  if (tensor.bytes > left()) {
    return fail(ErrorCode::Truncated, size_at, "data_size",
                {tensor.bytes, " bytes of data, ", left(), " left in the weights section"});
  }
  if (quantized && reading_.prefix == Prefix::InData) {
    AMBRY_TRY(tensor.quantization, read_prefix(code));
  } else if (quantized && reading_.prefix == Prefix::Absent) {
    tensor.quantization = from_config_;
    tensor.quantization->prefix_bytes = 0;
  }
  if (quantized && reading_.across_rows && tensor.quantization->block_size > 0 &&
      tensor.shape.rank() > 0) {
    // When the blocks fill the rows, both ways give the same.
    const uint64_t cols = tensor.shape[tensor.shape.rank() - 1];
    tensor.quantization->across_rows = cols % tensor.quantization->block_size != 0;
  }
  return check_size(tensor, size_at);
}

Result<Quantization> Walk::read_prefix(uint8_t code) {
  prefix_at_ = reader_.position();
  if (left() < tensor::kQuantPrefixBytes) {
    return fail(ErrorCode::Truncated, prefix_at_, "quant_type", "the weights section ends before");
  }
  AMBRY_TRY(const auto type, reader_.read<uint8_t>("quant_type"));
  if (type != code) {
    return fail(ErrorCode::Mismatch, prefix_at_, "quant_type",
                {"quantization type ", type, " in a tensor of data type ", code});
  }
  Quantization how;
  AMBRY_TRY(how.block_size, reader_.read<uint16_t>("block_size"));
  const uint64_t scale_at = reader_.position();
  AMBRY_TRY(const auto stated, reader_.read<uint8_t>("scale_type"));
  how.minima = (stated & tensor::kMinimaFlag) != 0;
  const auto scale = static_cast<uint8_t>(stated & ~tensor::kMinimaFlag);
  if (scale >= tensor::kScaleTypes.size()) {
    return fail(ErrorCode::BadValue, scale_at, "scale_type",
                {"scales of type ", stated,
                 ", known are 0 (FP32), 1 (FP16), and these plus 128 (with minima)"});
  }
  how.scale_type = tensor::kScaleTypes[scale];
  return how;
}

Result<void> Walk::check_size(const model::TensorEntry& tensor, uint64_t size_at) {
  if (!tensor::is_plain(tensor.dtype)) return check_quantized_size(tensor, size_at);
  const auto expected = model::byte_size(tensor.shape, tensor.dtype);
  if (!expected) return fail(ErrorCode::Overflow, shape_at_, "shape", "the size passes 64 bits");
  if (*expected == tensor.bytes) return {};
  return fail(ErrorCode::Mismatch, size_at, "data_size",
              {tensor.bytes, " bytes, but ", to_string(tensor.shape), " of ",
               dtype_name(tensor.dtype), " takes ", *expected});
}

Result<void> Walk::check_quantized_size(const model::TensorEntry& tensor, uint64_t size_at) {
  const Quantization& how = *tensor.quantization;
  auto layout = tensor::payload_layout(tensor.dtype, tensor.shape, how);
  if (!layout) {
    Failure error = layout.take_error();
    const bool about_shape = error->path == "shape";
    error->byte_offset = about_shape ? shape_at_ : prefix_at_ > 0 ? prefix_at_ + 1 : size_at;
    error->path = reader_.path_of(error->path.c_str());
    return error;
  }
  if (tensor.bytes < layout->min_bytes || tensor.bytes > layout->max_bytes) {
    return fail(ErrorCode::Mismatch, size_at, "data_size",
                {tensor.bytes, " bytes, but ", to_string(tensor.shape), " of ",
                 dtype_name(tensor.dtype), " in blocks of ", how.block_size, " takes ",
                 layout->min_bytes == layout->max_bytes ? "" : "at least ", layout->min_bytes});
  }
  return check_mask(tensor, *layout, size_at);
}

Result<void> Walk::check_mask(const model::TensorEntry& tensor, const tensor::PayloadLayout& layout,
                              uint64_t size_at) {
  if (layout.n_mask == 0 || layout.n_mask > kMaxMaskRead) return {};
  const uint64_t mask_at = tensor.offset + layout.mask_at;
  AMBRY_TRY(const Bytes mask, source_.view(mask_at, layout.n_mask, reader_.path_of("mask")));
  auto expected = tensor::adaptive_bytes(layout, mask, mask_at);
  if (!expected) {
    expected.error().path = reader_.path_of(expected.error().path.c_str());
    return expected.take_error();
  }
  if (*expected == tensor.bytes) return {};
  return fail(ErrorCode::Mismatch, size_at, "data_size",
              {tensor.bytes, " bytes, but the mask makes it ", *expected});
}

}  // namespace

Quantization config_quantization(const io::Json& config) {
  Quantization how;
  const io::Json* quant = config.find("quant");
  if (quant == nullptr) return how;
  const io::Json* block = quant->find("block_size");
  if (block != nullptr && block->is_uint() && block->uint() <= UINT16_MAX) {
    how.block_size = static_cast<uint16_t>(block->uint());
  }
  const auto scale = model::metadata_text(*quant, "scale_type");
  how.scale_type = tensor::scale_type_named(scale.value_or("")).value_or(how.scale_type);
  return how;
}

Result<void> read_weights_section(const io::Source& source, const Sections& sections,
                                  io::Diagnostics& diagnostics, model::Model& model) {
  const Quantization from_config = config_quantization(model.config);
  const Reading* landed = nullptr;
  Failure furthest;
  uint64_t furthest_at = 0;
  for (const Reading& reading : kReadings) {
    Walk walk(source, sections, reading, from_config);
    auto result = walk.run();
    if (result && landed != nullptr) {
      return error_at(ErrorCode::BadValue, sections.weights, "weights",
                      {"the section fits layout ", landed->name, " as well as ", reading.name});
    }
    if (result) {
      landed = &reading;
      if (landed == kReadings.data()) break;  // the normative layout
      continue;
    }
    if (result.error().code == ErrorCode::NeedBytes) return result.take_error();
    if (!furthest.is_set() || walk.position() > furthest_at) {
      furthest = result.take_error();
      furthest_at = walk.position();
    }
  }
  if (landed == nullptr) return furthest;
  if (landed != kReadings.data()) {
    diagnostics.tolerate(error_at(ErrorCode::BadValue, sections.weights, "weights",
                                  {"layout ", landed->name, ": ", landed->difference}));
  }
  Walk walk(source, sections, *landed, from_config);
  AMBRY_RETURN_IF_ERROR(walk.run());
  model.tensors.reserve(walk.n_tensors());
  model.regions.reserve(model.regions.size() + walk.n_tensors());
  AMBRY_RETURN_IF_ERROR(walk.run(&model, &diagnostics));
  model::check_names_unique(model.tensors, diagnostics);
  return {};
}

}  // namespace ambry::formats::amb

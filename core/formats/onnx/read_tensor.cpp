// Tensors and where their values are.
#include <charconv>

#include "formats/onnx/message_reader.h"

namespace ambry::formats::onnx {
namespace {

using Wire = WireField::Wire;
using Place = Tensor::Place;

// Bytes of one value in a typed field; 0 for varints.
uint32_t value_bytes(uint32_t field) {
  return field == tensor_field::kFloats ? 4 : field == tensor_field::kDoubles ? 8 : 0;
}

}  // namespace

void append_number(std::string& numbers, uint64_t value) {
  for (; value >= 0x80; value >>= 7U) numbers += static_cast<char>(value | 0x80U);
  numbers += static_cast<char>(value);
}

uint64_t count_numbers(std::string_view numbers) {
  uint64_t count = 0;
  for (const char c : numbers) count += static_cast<uint8_t>(c) < 0x80 ? 1U : 0U;
  return count;
}

Result<void> MessageReader::append_text(const WireField& field, const char* name,
                                        std::string& values) {
  if (field.wire == Wire::Bytes && field.size() > kMaxTextBytes) {
    return cursor_.fail(ErrorCode::LimitExceeded, field.offset, name,
                        {"a text of ", field.size(), " bytes, at most ", kMaxTextBytes});
  }
  AMBRY_TRY(const Bytes bytes, cursor_.content(field, name));
  values += as_text(bytes);
  return {};
}

Result<void> MessageReader::read_tensor(const WireField& message, TensorParts& parts) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "t"));
  if (parts.tensor.byte_offset == kNoOffset) parts.tensor.byte_offset = message.offset;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    AMBRY_RETURN_IF_ERROR(read_tensor_field(field, parts));
  }
  return {};
}

Result<void> MessageReader::read_tensor_field(const WireField& field, TensorParts& parts) {
  namespace f = tensor_field;
  switch (field.number) {
    case f::kDims:
      return read_ints(field, "dims", kMaxRank, parts.dims);
    case f::kDataType: {
      AMBRY_TRY(const int64_t type, read_int(field, "data_type"));
      if (type < 0 || type >= kDataTypes) {
        return cursor_.fail(ErrorCode::Unsupported, field.offset, "data_type",
                            {"element type ", static_cast<uint64_t>(type), " is not known"});
      }
      parts.tensor.type = static_cast<DataType>(type);
      return {};
    }
    case f::kSegment:
      return cursor_.fail(ErrorCode::Unsupported, field.offset, "segment",
                          "tensors in segments are not supported");
    case f::kName: {
      AMBRY_TRY(parts.tensor.name, read_name(field, "name"));
      return {};
    }
    case f::kExternal:
      return read_external(field, parts);
    case f::kDataLocation: {
      AMBRY_TRY(parts.data_location, read_int(field, "data_location"));
      return {};
    }
    case f::kRaw:
    case f::kFloats:
    case f::kInt32s:
    case f::kInt64s:
    case f::kDoubles:
    case f::kUint64s:
    case f::kStrings:
      return read_values(field, parts);
    default:
      return {};
  }
}

// The values are usually one range of the file, and stay there. Where they are given one by one, or
// in several pieces, they are copied.
Result<void> MessageReader::read_values(const WireField& field, TensorParts& parts) {
  Tensor& tensor = parts.tensor;
  const uint32_t size = value_bytes(field.number);
  if (field.wire == Wire::Bytes && field.size() == 0 && field.number != tensor_field::kStrings) {
    return {};
  }
  if (tensor.field != 0 && (tensor.field != field.number || field.number == kRawData)) {
    return cursor_.fail(ErrorCode::BadValue, field.offset, "raw_data",
                        "the tensor has its values twice");
  }
  const bool is_first = tensor.field == 0;
  tensor.field = static_cast<uint8_t>(field.number);
  if (field.number == tensor_field::kStrings) {
    tensor.place = Place::Memory;
    append_number(parts.values, field.size());
    return append_text(field, "string_data", parts.values);
  }
  if (field.number == kRawData)
    AMBRY_RETURN_IF_ERROR(cursor_.expect(field, Wire::Bytes, "raw_data"));
  if (is_first && field.wire == Wire::Bytes) {
    if (size != 0 && field.size() % size != 0) {
      return cursor_.fail(ErrorCode::BadValue, field.offset, "data",
                          {field.size(), " bytes are no whole numbers of ", uint64_t{size}});
    }
    tensor.place = Place::File;
    tensor.data_offset = field.begin;
    tensor.data_bytes = field.size();
    return {};
  }
  if (tensor.place == Place::File) {
    const WireField earlier{.number = field.number,
                            .wire = Wire::Bytes,
                            .offset = tensor.data_offset,
                            .begin = tensor.data_offset,
                            .end = tensor.data_offset + tensor.data_bytes};
    if (earlier.size() > kMaxTextBytes) {
      return cursor_.fail(ErrorCode::LimitExceeded, field.offset, "data",
                          "large values that are in several pieces are not supported");
    }
    AMBRY_RETURN_IF_ERROR(append_packed(earlier, "data", size, parts.values));
  }
  tensor.place = Place::Memory;
  return append_packed(field, "data", size, parts.values);
}

Result<void> MessageReader::read_external(const WireField& message, TensorParts& parts) {
  AMBRY_TRY(const Property entry, read_entry(message, "external_data.key", "external_data.value"));
  const std::string_view key = model_.names[entry.key];
  const std::string_view value = model_.names[entry.value];
  if (key == "location") parts.location = entry.value;
  if (key != "offset" && key != "length") return {};
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    return cursor_.fail(ErrorCode::BadValue, message.offset, "external_data",
                        {"the ", key, " is not a whole number of 64 bits"});
  }
  (key == "offset" ? parts.external_offset : parts.external_bytes) = number;
  return {};
}

Result<Tensor> MessageReader::finish_tensor(TensorParts& parts) {
  Tensor& tensor = parts.tensor;
  if (tensor.type == DataType::Undefined) {
    return cursor_.fail(ErrorCode::BadValue, tensor.byte_offset, "data_type",
                        "the tensor has no element type");
  }
  if (parts.data_location < 0 || parts.data_location > 1) {
    return cursor_.fail(ErrorCode::Unsupported, tensor.byte_offset, "data_location",
                        "the place of the values is not known");
  }
  if (parts.data_location == 1) {
    if (tensor.field != 0 || parts.location == kNoName) {
      return cursor_.fail(ErrorCode::BadValue, tensor.byte_offset, "external_data",
                          tensor.field != 0 ? "the tensor has its values twice"
                                            : "the values are in a file without a name");
    }
    tensor.place = Place::External;
    tensor.field = kRawData;
    tensor.location = parts.location;
    tensor.data_offset = parts.external_offset;
    tensor.data_bytes = parts.external_bytes;
  }
  if (tensor.place == Place::Memory) {
    tensor.data_offset = model_.values.size();
    tensor.data_bytes = parts.values.size();
    model_.values += parts.values;
  }
  AMBRY_TRY(tensor.dims, pack(parts.dims, tensor.byte_offset));
  return tensor;
}

Result<void> MessageReader::read_sparse(const WireField& message, SparseParts& parts) {
  namespace f = sparse_field;
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "sparse_tensor"));
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == f::kValues) {
      AMBRY_RETURN_IF_ERROR(read_tensor(field, parts.values));
    } else if (field.number == f::kIndices) {
      AMBRY_RETURN_IF_ERROR(read_tensor(field, parts.indices));
    } else if (field.number == f::kDims) {
      AMBRY_RETURN_IF_ERROR(read_ints(field, "dims", kMaxRank, parts.dims));
    }
  }
  return {};
}

}  // namespace ambry::formats::onnx

#include "convert/onnx/graph/graph_constants.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "base/half.h"
#include "convert/plan/source_model.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::DataType;
using formats::onnx::Tensor;
using tensor::DType;

constexpr uint64_t kMaxNumbers = uint64_t{1} << 20;
constexpr uint8_t kFloatsField = 4;
constexpr uint8_t kInt32sField = 5;
constexpr uint8_t kInt64sField = 7;
constexpr uint8_t kDoublesField = 10;
constexpr uint8_t kUint64sField = 11;

std::optional<DType> dtype_of(DataType type) {
  switch (type) {
    case DataType::Float:
      return DType::F32;
    case DataType::Float16:
      return DType::F16;
    case DataType::Bfloat16:
      return DType::BF16;
    case DataType::Double:
      return DType::F64;
    case DataType::Int8:
      return DType::I8;
    case DataType::Uint8:
      return DType::U8;
    case DataType::Int16:
      return DType::I16;
    case DataType::Uint16:
      return DType::U16;
    case DataType::Int32:
      return DType::I32;
    case DataType::Uint32:
      return DType::U32;
    case DataType::Int64:
      return DType::I64;
    case DataType::Uint64:
      return DType::U64;
    case DataType::Bool:
      return DType::Bool;
    case DataType::Uint4:
    case DataType::Int4:
      return DType::U8;
    default:
      return std::nullopt;
  }
}

// Two in a byte.
bool is_half_byte(DataType type) { return type == DataType::Uint4 || type == DataType::Int4; }

uint64_t element_bytes(DType type) {
  switch (type) {
    case DType::F64:
    case DType::I64:
    case DType::U64:
      return 8;
    case DType::F32:
    case DType::I32:
    case DType::U32:
      return 4;
    case DType::F16:
    case DType::BF16:
    case DType::I16:
    case DType::U16:
      return 2;
    default:
      return 1;
  }
}

std::string_view name_of(const OnnxFile& file, const Tensor& tensor) {
  return file.model().names[tensor.name];
}

Result<tensor::Shape> shape_of(const OnnxFile& file, const Tensor& tensor) {
  const auto dims = file.model().dims(tensor);
  tensor::Shape shape;
  for (const int64_t extent : dims) {
    if (extent < 0 || shape.rank() == tensor::Shape::kMaxRank) {
      return error_at(ErrorCode::BadValue, tensor.byte_offset, file.place_of(tensor),
                      "an extent is negative, or there are more than eight");
    }
    shape.push_back(static_cast<uint64_t>(extent));
  }
  if (!shape.count() || *shape.count() > UINT64_MAX / 8) {
    return error_at(ErrorCode::Overflow, tensor.byte_offset, file.place_of(tensor),
                    "the shape has more elements than 64 bits can count");
  }
  return shape;
}

// The file of this path beside the graph.
std::optional<uint32_t> external_file(const OnnxFile& file, std::string_view location) {
  const auto& files = file.sources().files();
  std::string path = files[file.number()].name;
  const size_t slash = path.rfind('/');
  path.resize(slash == std::string::npos ? 0 : slash + 1);
  path += location;
  for (const std::string_view wanted : {std::string_view(path), location}) {
    const auto found = std::ranges::find(files, wanted, &SourceFiles::File::name);
    if (found != files.end()) return static_cast<uint32_t>(found - files.begin());
  }
  return std::nullopt;
}

double number_at(DType type, const uint8_t* bytes) {
  uint64_t bits = 0;
  for (uint64_t i = element_bytes(type); i-- > 0;) bits = bits << 8U | bytes[i];
  const auto low = static_cast<uint32_t>(bits);
  switch (type) {
    case DType::F32:
      return std::bit_cast<float>(low);
    case DType::F16:
      return f16_to_f32(static_cast<uint16_t>(low));
    case DType::BF16:
      return bf16_to_f32(static_cast<uint16_t>(low));
    case DType::F64:
      return std::bit_cast<double>(bits);
    case DType::I8:
      return static_cast<int8_t>(low);
    case DType::I16:
      return static_cast<int16_t>(low);
    case DType::I32:
      return static_cast<int32_t>(low);
    case DType::I64:
      return static_cast<double>(static_cast<int64_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

// Values in the form of a typed field: floats and doubles, or integers that may be bits of halves.
std::optional<std::vector<double>> typed_values(Bytes held, uint8_t field, DType type,
                                                uint64_t count) {
  std::vector<double> values;
  if (field == kFloatsField || field == kDoublesField) {
    const DType stored = field == kFloatsField ? DType::F32 : DType::F64;
    const uint64_t step = element_bytes(stored);
    for (uint64_t at = 0; at + step <= held.size(); at += step) {
      values.push_back(number_at(stored, held.data() + at));
    }
  } else {
    uint64_t bits = 0;
    uint32_t shift = 0;
    for (const uint8_t byte : held) {
      if (shift < 64) bits |= uint64_t{byte & 0x7FU} << shift;
      shift += 7;
      if ((byte & 0x80U) != 0) continue;
      std::array<uint8_t, 8> little{};
      for (uint32_t i = 0; i < 8; ++i) little[i] = static_cast<uint8_t>(bits >> (8 * i));
      values.push_back(number_at(type, little.data()));
      bits = 0;
      shift = 0;
    }
  }
  if (values.size() != count) return std::nullopt;
  return values;
}

Result<std::vector<double>> file_values(const OnnxFile& file, const Input& input, uint64_t count) {
  const auto& source = file.sources().files()[input.file].source;
  auto bytes = source->view(input.tensor.offset, input.tensor.bytes, input.tensor.name);
  if (!bytes) return in_source_file(bytes.take_error(), file.sources(), input.file);
  std::vector<double> values;
  values.reserve(static_cast<size_t>(count));
  const uint64_t step = element_bytes(input.tensor.dtype);
  for (uint64_t i = 0; i < count; ++i) {
    values.push_back(number_at(input.tensor.dtype, bytes->data() + i * step));
  }
  return values;
}

}  // namespace

Result<std::optional<Input>> stored_input(const OnnxFile& file, const Tensor& tensor) {
  const auto type = dtype_of(tensor.type);
  AMBRY_TRY(const tensor::Shape shape, shape_of(file, tensor));
  const bool varints =
      tensor.field == kInt32sField || tensor.field == kInt64sField || tensor.field == kUint64sField;
  if (!type || tensor.place == Tensor::Place::Memory || varints) return std::optional<Input>();
  Input input;
  input.file = file.number();
  input.tensor.name = name_of(file, tensor);
  input.tensor.dtype = *type;
  input.tensor.shape = shape;
  input.tensor.offset = tensor.data_offset;
  if (is_half_byte(tensor.type)) input.tensor.shape = {(*shape.count() + 1) / 2};
  input.tensor.bytes = *input.tensor.shape.count() * element_bytes(*type);
  input.tensor.index_offset = tensor.byte_offset;
  uint64_t held = tensor.data_bytes;
  if (tensor.place == Tensor::Place::External) {
    const std::string_view location = file.model().names[tensor.location];
    const auto number = external_file(file, location);
    if (!number) {
      return error_at(
          ErrorCode::NotFound, tensor.byte_offset, location,
          {"the file is missing beside the graph; it holds the tensor ", file.place_of(tensor)});
    }
    input.file = *number;
    const io::Source& beside = *file.sources().files()[*number].source;
    if (beside.size_known()) {
      const uint64_t size = beside.size();
      const uint64_t left = tensor.data_offset > size ? 0 : size - tensor.data_offset;
      if (held == formats::onnx::kToTheEnd) held = left;
      if (held > left) {
        return error_at(ErrorCode::Truncated, tensor.byte_offset, location,
                        {"the tensor ", file.place_of(tensor), " passes the end of the file"});
      }
    } else if (held == formats::onnx::kToTheEnd) {
      held = input.tensor.bytes;
    }
  }
  if (held != input.tensor.bytes) {
    return error_at(ErrorCode::Mismatch, tensor.byte_offset, file.place_of(tensor),
                    {"the shape ", to_string(shape), " takes ", input.tensor.bytes,
                     " bytes, but the file has ", held});
  }
  return std::optional(std::move(input));
}

Result<std::optional<Numbers>> constant_numbers(const OnnxFile& file, const Tensor& tensor) {
  const auto type = dtype_of(tensor.type);
  if (!type) return std::optional<Numbers>();
  AMBRY_TRY(const tensor::Shape shape, shape_of(file, tensor));
  const uint64_t count = *shape.count();
  if (count > kMaxNumbers) return std::optional<Numbers>();
  Numbers out;
  out.type = *type == DType::Bool      ? Numbers::Type::Bool
             : tensor::is_float(*type) ? Numbers::Type::Float
                                       : Numbers::Type::Int;
  for (const uint64_t extent : shape.extents()) {
    out.dims.push_back(number_dim(static_cast<int64_t>(extent)));
  }
  AMBRY_TRY(const auto input, stored_input(file, tensor));
  if (input && is_half_byte(tensor.type)) {
    AMBRY_TRY(const auto pairs, file_values(file, *input, *input->tensor.shape.count()));
    for (uint64_t i = 0; i < count; ++i) {
      const auto pair = static_cast<uint32_t>(pairs[static_cast<size_t>(i / 2)]);
      const auto half = static_cast<int>(i % 2 == 0 ? pair & 0xFU : pair >> 4U);
      const bool negative = tensor.type == DataType::Int4 && half > 7;
      out.on.push_back(negative ? half - 16 : half);
    }
  } else if (input) {
    AMBRY_TRY(out.on, file_values(file, *input, count));
  } else {
    Bytes held = as_bytes(file.model().values);
    if (tensor.place == Tensor::Place::Memory) {
      held = held.subspan(static_cast<size_t>(tensor.data_offset),
                          static_cast<size_t>(tensor.data_bytes));
    } else {
      auto read = file.sources().files()[file.number()].source->view(
          tensor.data_offset, tensor.data_bytes, name_of(file, tensor));
      if (!read) return in_source_file(read.take_error(), file.sources(), file.number());
      held = *read;
    }
    auto values = typed_values(held, tensor.field, *type, count);
    if (!values) return std::optional<Numbers>();
    out.on = std::move(*values);
  }
  set_exact(out);
  return std::optional(std::move(out));
}

}  // namespace ambry::convert::onnx

#include "tensor/dtype/convert.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "base/half.h"

namespace ambry::tensor {
namespace {

template <class Stored, class Widen>
void widen(Bytes bytes, std::span<float> out, Widen convert) {
  const uint8_t* from = bytes.data();
  for (float& value : out) {
    value = convert(load_le<Stored>(from));
    from += sizeof(Stored);
  }
}

template <class Stored>
void widen_number(Bytes bytes, std::span<float> out) {
  widen<Stored>(bytes, out, [](Stored value) { return static_cast<float>(value); });
}

Failure element_error(ErrorCode code, size_t index, DType dtype) {
  return make_error(code, {"element ", index}, {"the value does not fit into ", dtype_name(dtype)});
}

template <class Narrow>
Result<void> narrow_half(DType dtype, std::span<const float> values, MutableBytes out,
                         uint16_t infinity_bits, Narrow convert) {
  uint8_t* to = out.data();
  for (size_t i = 0; i < values.size(); ++i, to += sizeof(uint16_t)) {
    const uint16_t bits = convert(values[i]);
    if ((bits & 0x7FFFU) == infinity_bits && std::isfinite(values[i])) {
      return element_error(ErrorCode::Overflow, i, dtype);
    }
    store_le(to, bits);
  }
  return {};
}

template <class Stored>
Result<void> narrow_integer(DType dtype, std::span<const float> values, MutableBytes out) {
  using Limits = std::numeric_limits<Stored>;
  uint8_t* to = out.data();
  for (size_t i = 0; i < values.size(); ++i, to += sizeof(Stored)) {
    // Doubles hold every integer of 32 bits, so the comparison is exact; NaN fails it.
    const double rounded = std::nearbyint(static_cast<double>(values[i]));
    if (!(rounded >= static_cast<double>(Limits::min()) &&
          rounded <= static_cast<double>(Limits::max()))) {
      return element_error(ErrorCode::BadValue, i, dtype);
    }
    store_le(to, static_cast<Stored>(rounded));
  }
  return {};
}

}  // namespace

Result<void> to_f32(DType dtype, Bytes bytes, std::span<float> out) {
  if (!is_plain(dtype)) {
    return make_error(ErrorCode::Unsupported, "dtype",
                      {dtype_name(dtype), " elements cannot be read one by one"});
  }
  if (bytes.size() % dtype_size(dtype) != 0 || bytes.size() / dtype_size(dtype) != out.size()) {
    return make_error(
        ErrorCode::Mismatch, "bytes",
        {bytes.size(), " bytes for ", out.size(), " elements of ", dtype_name(dtype)});
  }
  switch (dtype) {
    case DType::F32:
      if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
      break;
    case DType::F16:
      widen<uint16_t>(bytes, out, f16_to_f32);
      break;
    case DType::BF16:
      widen<uint16_t>(bytes, out, bf16_to_f32);
      break;
    case DType::F64:
      widen_number<double>(bytes, out);
      break;
    case DType::I8:
      widen_number<int8_t>(bytes, out);
      break;
    case DType::I16:
      widen_number<int16_t>(bytes, out);
      break;
    case DType::I32:
      widen_number<int32_t>(bytes, out);
      break;
    case DType::I64:
      widen_number<int64_t>(bytes, out);
      break;
    case DType::U8:
    case DType::Bool:
      widen_number<uint8_t>(bytes, out);
      break;
    case DType::U16:
      widen_number<uint16_t>(bytes, out);
      break;
    case DType::U32:
      widen_number<uint32_t>(bytes, out);
      break;
    case DType::U64:
      widen_number<uint64_t>(bytes, out);
      break;
    default:
      assert(false);
  }
  return {};
}

Result<void> from_f32(DType dtype, std::span<const float> values, MutableBytes out) {
  assert(out.size() == values.size() * dtype_size(dtype));
  switch (dtype) {
    case DType::F32:
      if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
      return {};
    case DType::F16:
      return narrow_half(dtype, values, out, 0x7C00, f32_to_f16);
    case DType::BF16:
      return narrow_half(dtype, values, out, 0x7F80, f32_to_bf16);
    case DType::I8:
      return narrow_integer<int8_t>(dtype, values, out);
    case DType::I16:
      return narrow_integer<int16_t>(dtype, values, out);
    case DType::I32:
      return narrow_integer<int32_t>(dtype, values, out);
    case DType::U8:
      return narrow_integer<uint8_t>(dtype, values, out);
    case DType::U16:
      return narrow_integer<uint16_t>(dtype, values, out);
    case DType::U32:
      return narrow_integer<uint32_t>(dtype, values, out);
    default:
      return make_error(ErrorCode::Unsupported, "dtype",
                        {"floats cannot be stored as ", dtype_name(dtype)});
  }
}

}  // namespace ambry::tensor

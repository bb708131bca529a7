#include "formats/gguf/metadata/values.h"

#include <utility>

#include "base/shortest.h"
#include "base/utf8.h"

namespace ambry::formats::gguf {
namespace {

// The most elements of one array, and of all arrays, that become JSON. Each takes about 50 bytes.
constexpr uint64_t kShownElements = 64;
constexpr uint64_t kAllShownElements = 16'384;
constexpr int kMaxDepth = 4;
constexpr uint64_t kUsualString = 16;  // including its length

}  // namespace

Result<ValueType> ValueReader::read_type(const char* field) {
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto type, reader_.read<uint32_t>(field));
  if (type < kValueTypes) return static_cast<ValueType>(type);
  return reader_.fail(ErrorCode::BadValue, at, field,
                      {"the value type ", type, " is unknown; there are 0 to 12"});
}

Result<ValueReader::Array> ValueReader::read_array_head() {
  Array array;
  array.at = reader_.position();
  AMBRY_TRY(array.type, read_type("element_type"));
  const uint64_t at = reader_.position();
  AMBRY_TRY(array.length, reader_.read<uint64_t>("length"));
  AMBRY_RETURN_IF_ERROR(
      reader_.check_count(array.length, facts_of(array.type).min_bytes, "length", at));
  return array;
}

Result<void> ValueReader::skip_elements(const Array& array, int depth) {
  if (array.type != ValueType::String && array.type != ValueType::Array) {
    return reader_.skip(array.length * facts_of(array.type).min_bytes, "value");
  }
  const uint64_t start = reader_.position();
  for (uint64_t i = 0; i < array.length; ++i) {
    if (array.type == ValueType::String) {
      const uint64_t usual = i < 64 ? kUsualString : (reader_.position() - start) / i + 1;
      reader_.set_read_ahead(read_ahead_ + (array.length - i) * usual);
      AMBRY_TRY(const auto length, reader_.read<uint64_t>("value"));
      AMBRY_RETURN_IF_ERROR(reader_.skip(length, "value"));
      continue;
    }
    if (depth == kMaxDepth) {
      return reader_.fail(ErrorCode::LimitExceeded, reader_.position(), "value",
                          "arrays nested more than 4 deep");
    }
    AMBRY_TRY(const Array inner, read_array_head());
    AMBRY_RETURN_IF_ERROR(skip_elements(inner, depth + 1));
  }
  return {};
}

io::Json ValueReader::summary_of(const Array& array) {
  io::Json summary = io::Json::object();
  summary.append_member("array", facts_of(array.type).name);
  summary.append_member("length", array.length);
  return summary;
}

Result<io::Json> ValueReader::read_array(int depth) {
  AMBRY_TRY(const Array array, read_array_head());
  if (depth == kMaxDepth) {
    return reader_.fail(ErrorCode::LimitExceeded, array.at, "value",
                        "arrays nested more than 4 deep");
  }
  if (array.length > kShownElements || shown_elements_ + array.length > kAllShownElements) {
    AMBRY_RETURN_IF_ERROR(skip_elements(array, depth + 1));
    return summary_of(array);
  }
  shown_elements_ += array.length;
  io::Json items = io::Json::array();
  for (uint64_t i = 0; i < array.length; ++i) {
    AMBRY_TRY(io::Json item, read_value(array.type, depth + 1));
    items.append(std::move(item));
  }
  return items;
}

Result<io::Json> ValueReader::read_string() {
  AMBRY_TRY(const auto length, reader_.read<uint64_t>("value"));
  const uint64_t at = reader_.position();
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(length, "value"));
  const std::string_view text = as_text(bytes);
  if (const auto bad = find_invalid_utf8(text)) {
    Failure problem = reader_.fail(ErrorCode::BadValue, at + *bad, "value", "not valid UTF-8");
    if (!lenient_texts_) {
      diagnostics_.error(std::move(problem));
      return io::Json();
    }
    problem->message += "; bad parts are shown as U+FFFD";
    diagnostics_.tolerate(std::move(problem));
    return io::Json(replace_invalid_utf8(text));
  }
  return io::Json(text);
}

Result<io::Json> ValueReader::read_bool() {
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto value, reader_.read<uint8_t>("value"));
  if (value > 1) {
    diagnostics_.error(
        reader_.fail(ErrorCode::BadValue, at, "value", {value, " is neither true nor false"}));
  }
  return io::Json(value != 0);
}

Result<io::Json> ValueReader::read_number(ValueType type) {
  const uint64_t size = facts_of(type).min_bytes;
  AMBRY_TRY(const Bytes bytes, reader_.read_bytes(size, "value"));
  const uint8_t* from = bytes.data();
  switch (type) {
    case ValueType::U8:
      return io::Json(uint64_t{*from});
    case ValueType::I8:
      return io::Json(int64_t{static_cast<int8_t>(*from)});
    case ValueType::U16:
      return io::Json(uint64_t{load_le<uint16_t>(from)});
    case ValueType::I16:
      return io::Json(int64_t{load_le<int16_t>(from)});
    case ValueType::U32:
      return io::Json(uint64_t{load_le<uint32_t>(from)});
    case ValueType::I32:
      return io::Json(int64_t{load_le<int32_t>(from)});
    case ValueType::U64:
      return io::Json(load_le<uint64_t>(from));
    case ValueType::I64:
      return io::Json(load_le<int64_t>(from));
    case ValueType::F32:
      return io::Json(shortest_double(load_le<float>(from)));
    default:
      return io::Json(load_le<double>(from));
  }
}

Result<io::Json> ValueReader::read_value(ValueType type, int depth) {
  switch (type) {
    case ValueType::String:
      return read_string();
    case ValueType::Bool:
      return read_bool();
    case ValueType::Array:
      return read_array(depth);
    default:
      return read_number(type);
  }
}

}  // namespace ambry::formats::gguf

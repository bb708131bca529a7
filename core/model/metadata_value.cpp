#include "model/metadata_value.h"

#include <algorithm>
#include <charconv>

namespace ambry::model {
namespace {

std::string quoted(const io::Json& value) {
  return value.is_string() ? '"' + value.string() + '"' : value.dump();
}

}  // namespace

Error metadata_error(const io::Json& metadata, std::string_view key, ErrorCode code,
                     std::string message) {
  const io::Json* value = metadata.find(key);
  return error_at(code, value != nullptr ? value->byte_offset() : kNoOffset,
                  "metadata." + std::string(key), std::move(message));
}

Result<std::optional<uint32_t>> metadata_u32(const io::Json& metadata, std::string_view key) {
  const io::Json* value = metadata.find(key);
  if (value == nullptr || value->is_null()) return std::optional<uint32_t>();
  if (value->is_uint() && value->uint() <= UINT32_MAX) {
    return std::optional(static_cast<uint32_t>(value->uint()));
  }
  if (value->is_string()) {
    const std::string& text = value->string();
    uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, number);
    if (problem == std::errc() && stopped == end) return std::optional(number);
  }
  return metadata_error(metadata, key, ErrorCode::BadValue,
                        quoted(*value) + " is not a whole number of up to 32 bits");
}

Result<std::optional<double>> metadata_double(const io::Json& metadata, std::string_view key) {
  const io::Json* value = metadata.find(key);
  if (value == nullptr || value->is_null()) return std::optional<double>();
  if (value->is_number()) return std::optional(value->number());
  if (value->is_string()) {
    // The number syntax of JSON covers what writers print: 1e-12, 1e-05, 0.5.
    const auto number = io::parse_json(value->string());
    if (number && number->is_number()) return std::optional(number->number());
  }
  return metadata_error(metadata, key, ErrorCode::BadValue, quoted(*value) + " is not a number");
}

Result<std::optional<bool>> metadata_bool(const io::Json& metadata, std::string_view key) {
  const io::Json* value = metadata.find(key);
  if (value == nullptr || value->is_null()) return std::optional<bool>();
  if (value->is_bool()) return std::optional(value->boolean());
  if (value->is_string()) {
    // "None" is what Python prints for the null of strip_accents.
    const std::string& text = value->string();
    if (text == "true" || text == "True" || text == "1") return std::optional(true);
    if (text == "false" || text == "False" || text == "0") return std::optional(false);
    if (text == "null" || text == "None") return std::optional<bool>();
  }
  return metadata_error(metadata, key, ErrorCode::BadValue,
                        quoted(*value) + " is neither true nor false");
}

std::optional<std::string_view> metadata_text(const io::Json& metadata, std::string_view key) {
  const io::Json* value = metadata.find(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->string();
}

}  // namespace ambry::model

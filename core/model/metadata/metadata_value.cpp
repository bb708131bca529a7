#include "model/metadata/metadata_value.h"

#include <charconv>

namespace ambry::model {
namespace {

bool read_u32(const io::Json& value, uint32_t& out) {
  if (value.is_uint() && value.uint() <= UINT32_MAX) {
    out = static_cast<uint32_t>(value.uint());
    return true;
  }
  if (!value.is_string()) return false;
  const std::string& text = value.string();
  const char* end = text.data() + text.size();
  uint32_t number = 0;
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stopped != end) return false;
  out = number;
  return true;
}

bool read_double(const io::Json& value, double& out) {
  if (value.is_string()) {
    // JSON's syntax covers the numbers that writers print: 1e-12, 1e-05, 0.5.
    const auto number = io::parse_json(value.string());
    return number && !number->is_string() && read_double(*number, out);
  }
  if (!value.is_number()) return false;
  out = value.number();
  return true;
}

bool read_bool(const io::Json& value, std::optional<bool>& out) {
  if (value.is_bool()) {
    out = value.boolean();
    return true;
  }
  if (!value.is_string()) return false;
  const std::string& text = value.string();
  if (text == "true" || text == "True" || text == "1") {
    out = true;
  } else if (text == "false" || text == "False" || text == "0") {
    out = false;
  } else {
    // Python prints "None" for a strip_accents of null.
    return text == "null" || text == "None";
  }
  return true;
}

}  // namespace

void set_metadata_texts(io::Json& metadata, std::initializer_list<MetadataText> texts) {
  for (const auto& [key, value] : texts) metadata.set(key, concat({value}));
}

const char* flag_text(bool value) { return value ? "true" : "false"; }

Failure metadata_error(const io::Json& metadata, std::string_view key, ErrorCode code,
                       const Text& message, std::string_view section) {
  const io::Json* value = metadata.find(key);
  return error_at(code, value != nullptr ? value->byte_offset() : kNoOffset, {section, ".", key},
                  message);
}

Result<void> ValueTarget::read(const io::Json& metadata, std::string_view section) const {
  const io::Json* value = metadata.find(key_);
  if (value == nullptr || value->is_null()) return {};
  const char* problem = nullptr;
  switch (type_) {
    case Type::U32:
      if (!read_u32(*value, *static_cast<uint32_t*>(out_))) {
        problem = " is not an unsigned 32-bit integer";
      }
      break;
    case Type::Double:
      if (!read_double(*value, *static_cast<double*>(out_))) problem = " is not a number";
      break;
    case Type::Bool:
    case Type::OptionalBool: {
      std::optional<bool> flag;
      if (!read_bool(*value, flag)) problem = " is neither true nor false";
      if (flag && type_ == Type::Bool) *static_cast<bool*>(out_) = *flag;
      if (flag && type_ == Type::OptionalBool) *static_cast<std::optional<bool>*>(out_) = flag;
      break;
    }
    case Type::Text:
      if (value->is_string()) *static_cast<std::string*>(out_) = value->string();
      break;
  }
  if (problem == nullptr) return {};
  const bool quote = value->is_string();
  return metadata_error(metadata, key_, ErrorCode::BadValue,
                        {quote ? concat({"\"", value->string(), "\""}) : value->dump(), problem},
                        section);
}

Result<void> read_values(const io::Json& metadata, std::initializer_list<ValueTarget> targets,
                         std::string_view section) {
  for (const ValueTarget& target : targets) AMBRY_RETURN_IF_ERROR(target.read(metadata, section));
  return {};
}

bool has_value(const io::Json& metadata, std::string_view key) {
  const io::Json* value = metadata.find(key);
  return value != nullptr && !value->is_null();
}

std::optional<std::string_view> metadata_text(const io::Json& metadata, std::string_view key) {
  const io::Json* value = metadata.find(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->string();
}

}  // namespace ambry::model

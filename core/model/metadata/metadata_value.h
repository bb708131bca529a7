// Typed reading of metadata whose values are strings (EMBD) or JSON values (config.json).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/concat.h"
#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

// A key and the variable that receives its value. The variable's type decides how the value is
// read.
class ValueTarget {
 public:
  ValueTarget(const char* key, uint32_t& out) : key_(key), type_(Type::U32), out_(&out) {}
  ValueTarget(const char* key, double& out) : key_(key), type_(Type::Double), out_(&out) {}
  ValueTarget(const char* key, bool& out) : key_(key), type_(Type::Bool), out_(&out) {}
  ValueTarget(const char* key, std::optional<bool>& out)
      : key_(key), type_(Type::OptionalBool), out_(&out) {}
  ValueTarget(const char* key, std::string& out) : key_(key), type_(Type::Text), out_(&out) {}

  [[nodiscard]] Result<void> read(const io::Json& metadata, std::string_view section) const;

 private:
  enum class Type : uint8_t { U32, Double, Bool, OptionalBool, Text };

  const char* key_;
  Type type_;
  void* out_;
};

// Reads several values: `read_values(json, {{"vocab_size", vocab_size}, …})`. A variable keeps its
// value when the key is absent or null, or when it holds a string and the value is not text.
// BadValue, at the value's byte, for a value of the wrong type. `section` starts the paths of
// errors.
[[nodiscard]] Result<void> read_values(const io::Json& metadata,
                                       std::initializer_list<ValueTarget> targets,
                                       std::string_view section = "metadata");

// Whether the key is present and not null.
[[nodiscard]] bool has_value(const io::Json& metadata, std::string_view key);
[[nodiscard]] std::optional<std::string_view> metadata_text(const io::Json& metadata,
                                                            std::string_view key);

// A key and its value, which is stored as text.
struct MetadataText {
  const char* key;
  Piece value;
};
void set_metadata_texts(io::Json& metadata, std::initializer_list<MetadataText> texts);
// "true" or "false".
[[nodiscard]] const char* flag_text(bool value);

// Makes an error about the value of `key`, at its byte if it has one.
[[nodiscard]] Failure metadata_error(const io::Json& metadata, std::string_view key, ErrorCode code,
                                     const Text& message, std::string_view section = "metadata");

}  // namespace ambry::model

// JSON as untrusted input: one DOM that keeps object order and the byte offset of every value, so
// that a wrong value in a header can be named by its place in the file. Parsing is iterative and
// bounded (RFC 8259; duplicate keys, NaN/Infinity, a BOM, depth over 64 and trailing text are errors).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ambry::io {

class Json {
 public:
  enum class Kind : uint8_t { Null, Bool, Int, Uint, Double, String, Array, Object };
  using Member = std::pair<std::string, Json>;

  Json() = default;
  Json(std::string text) : kind_(Kind::String), text_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Json(std::string_view text) : Json(std::string(text)) {}                 // NOLINT(google-explicit-constructor)
  Json(const char* text) : Json(std::string(text)) {}                      // NOLINT(google-explicit-constructor)
  Json(bool value) : kind_(Kind::Bool), number_{.boolean = value} {}       // NOLINT(google-explicit-constructor)
  Json(uint64_t value) : kind_(Kind::Uint), number_{.u = value} {}         // NOLINT(google-explicit-constructor)
  Json(int64_t value) : kind_(Kind::Int), number_{.i = value} {}           // NOLINT(google-explicit-constructor)
  Json(uint32_t value) : Json(uint64_t{value}) {}                          // NOLINT(google-explicit-constructor)
  Json(int value) : Json(int64_t{value}) {}                                // NOLINT(google-explicit-constructor)
  Json(double value) : kind_(Kind::Double), number_{.d = value} {}         // NOLINT(google-explicit-constructor)
  [[nodiscard]] static Json array() { return Json(Kind::Array); }
  [[nodiscard]] static Json object() { return Json(Kind::Object); }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::Null; }
  [[nodiscard]] bool is_bool() const { return kind_ == Kind::Bool; }
  [[nodiscard]] bool is_string() const { return kind_ == Kind::String; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::Array; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::Object; }
  // A whole number that is not negative (Uint always; never a Double).
  [[nodiscard]] bool is_uint() const { return kind_ == Kind::Uint; }
  [[nodiscard]] bool is_number() const {
    return kind_ == Kind::Int || kind_ == Kind::Uint || kind_ == Kind::Double;
  }

  // Each asserts its kind.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] uint64_t uint() const;
  [[nodiscard]] double number() const;  // any number
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const std::vector<Json>& items() const;      // Array
  [[nodiscard]] const std::vector<Member>& members() const;  // Object, in file order
  // The member of an Object; nullptr when absent or when this is no object.
  [[nodiscard]] const Json* find(std::string_view key) const;

  // Byte offset of the value's first character from the start of the file; kNoOffset if built by hand.
  [[nodiscard]] uint64_t byte_offset() const { return byte_offset_; }
  void set_byte_offset(uint64_t offset) { byte_offset_ = offset; }

  Json& append(Json value);                     // Array; returns the new item
  Json& set(std::string_view key, Json value);  // Object; replaces in place or appends
  void reserve(size_t n);

  // Compact text, valid UTF-8, doubles shortest-round-trip; non-finite doubles print as null.
  [[nodiscard]] std::string dump() const;

 private:
  explicit Json(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::Null;
  union Number {
    bool boolean;
    uint64_t u = 0;
    int64_t i;
    double d;
  } number_;
  uint64_t byte_offset_ = UINT64_MAX;
  std::string text_;
  std::vector<Json> items_;
  std::vector<Member> members_;
};

// Parses one JSON document. `base_offset` is where `text` starts in its file; `path` prefixes the
// paths of errors. ASCII white space may surround the value.
[[nodiscard]] Result<Json> parse_json(std::string_view text, uint64_t base_offset = 0,
                                      std::string_view path = "json");

}  // namespace ambry::io

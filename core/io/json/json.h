// JSON as untrusted input: one DOM that keeps object order and the byte offset of every value, so
// that a wrong value in a header can be named by its place in the file. Parsing is iterative and
// bounded (RFC 8259; duplicate keys, NaN/Infinity, a BOM, depth over 64 and trailing text are
// errors).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace ambry::io {

class Json {
 public:
  // Int is negative; whole numbers that are not are Uint.
  enum class Kind : uint8_t { Null, Bool, Int, Uint, Double, String, Array, Object };
  using Member = std::pair<std::string, Json>;

  // Special members out of line, as for Error.
  Json();
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();
  Json(std::string text) : value_(std::move(text)) {}       // NOLINT(google-explicit-constructor)
  Json(std::string_view text) : Json(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Json(const char* text) : Json(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  Json(bool value) : value_(value) {}                       // NOLINT(google-explicit-constructor)
  Json(uint64_t value) : value_(value) {}                   // NOLINT(google-explicit-constructor)
  Json(int64_t value);                                      // NOLINT(google-explicit-constructor)
  Json(uint32_t value) : Json(uint64_t{value}) {}           // NOLINT(google-explicit-constructor)
  Json(int value) : Json(int64_t{value}) {}                 // NOLINT(google-explicit-constructor)
  Json(double value) : value_(value) {}                     // NOLINT(google-explicit-constructor)
  [[nodiscard]] static Json array() { return Json(Items()); }
  [[nodiscard]] static Json object() { return Json(Members()); }

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(value_.index()); }
  [[nodiscard]] bool is_null() const { return kind() == Kind::Null; }
  [[nodiscard]] bool is_bool() const { return kind() == Kind::Bool; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::String; }
  [[nodiscard]] bool is_array() const { return kind() == Kind::Array; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::Object; }
  // A whole number that is not negative, written without a fraction or exponent.
  [[nodiscard]] bool is_uint() const { return kind() == Kind::Uint; }
  [[nodiscard]] bool is_number() const {
    return kind() == Kind::Int || kind() == Kind::Uint || kind() == Kind::Double;
  }

  // Each asserts its kind.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] uint64_t uint() const;
  [[nodiscard]] int64_t integer() const;  // Int
  [[nodiscard]] double number() const;    // any number
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const std::vector<Json>& items() const;      // Array
  [[nodiscard]] const std::vector<Member>& members() const;  // Object, in file order
  // The member of an Object; nullptr when absent or when this is no object.
  [[nodiscard]] const Json* find(std::string_view key) const;

  // Byte offset of the value's first character from the start of the file; kNoOffset if built by
  // hand.
  [[nodiscard]] uint64_t byte_offset() const { return byte_offset_; }
  void set_byte_offset(uint64_t offset) { byte_offset_ = offset; }

  Json& append(Json value);                     // Array; returns the new item
  Json& set(std::string_view key, Json value);  // Object; replaces in place or appends
  // Object; for many members: appends without looking whether the key is there already.
  Json& append_member(std::string key, Json value);

  // Compact text, valid UTF-8, doubles shortest-round-trip; non-finite doubles print as null.
  [[nodiscard]] std::string dump() const;

 private:
  using Items = std::vector<Json>;
  using Members = std::vector<Member>;

  explicit Json(Items items) : value_(std::move(items)) {}
  explicit Json(Members members) : value_(std::move(members)) {}

  // In the order of Kind.
  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Items, Members> value_;
  uint64_t byte_offset_ = kNoOffset;
};

// Parses one JSON document. `base_offset` is where `text` starts in its file; `path` prefixes the
// paths of errors. ASCII white space may surround the value. LimitExceeded when values are so many
// and so small that the tree would dwarf the text.
[[nodiscard]] Result<Json> parse_json(std::string_view text, uint64_t base_offset = 0,
                                      std::string_view path = "json");

}  // namespace ambry::io

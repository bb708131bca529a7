// A JSON document as a tree. It keeps the order of objects and the byte offset of every value, so
// an error about a value can name its place in the file. The text is untrusted: parsing is
// iterative and bounded. It follows RFC 8259; duplicate keys, NaN, Infinity, a byte order mark,
// more than 64 levels and trailing text are errors.
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
  // Int is a negative integer, Uint any other integer.
  enum class Kind : uint8_t { Null, Bool, Int, Uint, Double, String, Array, Object };
  using Member = std::pair<std::string, Json>;

  // The special members are out of line, as in Error, to keep the WebAssembly small.
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
  // An integer that is not negative and is written without a fraction or exponent.
  [[nodiscard]] bool is_uint() const { return kind() == Kind::Uint; }
  [[nodiscard]] bool is_number() const {
    return kind() == Kind::Int || kind() == Kind::Uint || kind() == Kind::Double;
  }

  // Each of these asserts the kind.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] uint64_t uint() const;
  [[nodiscard]] int64_t integer() const;  // Kind::Int
  [[nodiscard]] double number() const;    // any kind of number
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const std::vector<Json>& items() const;      // Kind::Array
  [[nodiscard]] const std::vector<Member>& members() const;  // Kind::Object, in file order
  // The member of an object. Returns nullptr when it is absent or this is not an object.
  [[nodiscard]] const Json* find(std::string_view key) const;

  // The offset of the value's first character in the file, or kNoOffset for a value built in code.
  [[nodiscard]] uint64_t byte_offset() const { return byte_offset_; }
  void set_byte_offset(uint64_t offset) { byte_offset_ = offset; }

  Json& append(Json value);                     // for arrays; returns the new item
  Json& set(std::string_view key, Json value);  // for objects; replaces in place or appends
  // For objects with many members: appends without checking for a duplicate key.
  Json& append_member(std::string key, Json value);

  // Compact text in valid UTF-8. A double gets the shortest text that reads back as the same value;
  // a non-finite one becomes null.
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

// Parses one JSON document. `base_offset` is where `text` starts in its file, and `path` prefixes
// the paths of errors. White space may surround the value. LimitExceeded when a text of very many
// small values would need a tree much larger than itself.
[[nodiscard]] Result<Json> parse_json(std::string_view text, uint64_t base_offset = 0,
                                      std::string_view path = "json");

}  // namespace ambry::io

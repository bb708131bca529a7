#include "io/json/json.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "base/order.h"
#include "io/json/json_reader.h"
#include "io/number/print_double.h"

namespace ambry::io {
namespace {

// A value takes at least two bytes of text but about fifty bytes in the tree. A text may have one
// value for every four bytes and this many more.
constexpr size_t kFreeValues = 65'536;
constexpr size_t kTextBytesPerValue = 4;

// With fewer members, a quadratic search is faster than sorting.
constexpr size_t kFewMembers = 16;

// The position of the second member with the same key as an earlier one.
std::optional<size_t> find_duplicate(const std::vector<Json::Member>& members) {
  if (members.size() <= kFewMembers) {
    for (size_t i = 1; i < members.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (members[i].first == members[j].first) return i;
      }
    }
    return std::nullopt;
  }
  const auto order = sorted_order(
      members.size(), [&](uint32_t a, uint32_t b) { return members[a].first < members[b].first; });
  std::optional<size_t> first;
  for (size_t i = 1; i < order.size(); ++i) {
    if (members[order[i]].first != members[order[i - 1]].first) continue;
    if (!first || order[i] < *first) first = order[i];
  }
  return first;
}

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, uint64_t base_offset, std::string_view path)
      : reader_(text, base_offset, path),
        values_left_(kFreeValues + text.size() / kTextBytesPerValue) {}

  Result<Json> build() {
    for (;;) {
      AMBRY_TRY(const JsonEvent event, reader_.next());
      if (event == JsonEvent::End) return std::move(root_);
      if (event == JsonEvent::Key) {
        open_.back().key = reader_.string();
      } else if (event == JsonEvent::ArrayEnd || event == JsonEvent::ObjectEnd) {
        AMBRY_RETURN_IF_ERROR(close());
      } else {
        AMBRY_RETURN_IF_ERROR(add(event));
      }
    }
  }

 private:
  struct Container {
    Json value;
    std::string key;  // key of the member that is being read
  };

  Json scalar(JsonEvent event) const {
    switch (event) {
      case JsonEvent::Bool:
        return reader_.boolean();
      case JsonEvent::Int:
        return reader_.integer();
      case JsonEvent::Uint:
        return reader_.uint();
      case JsonEvent::Double:
        return reader_.number();
      case JsonEvent::String:
        return reader_.string();
      case JsonEvent::ArrayBegin:
        return Json::array();
      case JsonEvent::ObjectBegin:
        return Json::object();
      default:
        return {};
    }
  }

  Result<void> add(JsonEvent event) {
    if (values_left_-- == 0) {
      return reader_.fail(ErrorCode::LimitExceeded,
                          "the JSON text has too many values for its size");
    }
    Json value = scalar(event);
    value.set_byte_offset(reader_.byte_offset());
    if (event == JsonEvent::ArrayBegin || event == JsonEvent::ObjectBegin) {
      open_.push_back({std::move(value), {}});
    } else {
      place(std::move(value));
    }
    return {};
  }

  Result<void> close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    if (value.is_object()) {
      if (const auto duplicate = find_duplicate(value.members())) {
        const auto& [key, member] = value.members()[*duplicate];
        Failure error = reader_.fail(ErrorCode::BadValue, {"the key \"", key, "\" occurs twice"});
        error->byte_offset = member.byte_offset();
        return error;
      }
    }
    place(std::move(value));
    return {};
  }

  void place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.append(std::move(value));
    } else {
      open_.back().value.append_member(std::move(open_.back().key), std::move(value));
    }
  }

  JsonReader reader_;
  size_t values_left_;
  std::vector<Container> open_;
  Json root_;
};

void dump_string(std::string_view text, std::string& out) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xF];
    } else {
      out += c;
    }
  }
  out += '"';
}

// The recursion is bounded: parsed trees have at most kMaxJsonDepth levels, and trees built in code
// are shallow.
void dump_value(const Json& value, std::string& out) {
  switch (value.kind()) {
    case Json::Kind::Null:
      out += "null";
      return;
    case Json::Kind::Bool:
      out += value.boolean() ? "true" : "false";
      return;
    case Json::Kind::Int:
      out += std::to_string(value.integer());
      return;
    case Json::Kind::Uint:
      out += std::to_string(value.uint());
      return;
    case Json::Kind::Double:
      out += std::isfinite(value.number()) ? print_double(value.number()) : "null";
      return;
    case Json::Kind::String:
      dump_string(value.string(), out);
      return;
    case Json::Kind::Array: {
      char separator = '[';
      for (const Json& item : value.items()) {
        out += separator;
        dump_value(item, out);
        separator = ',';
      }
      out += value.items().empty() ? "[]" : "]";
      return;
    }
    case Json::Kind::Object: {
      char separator = '{';
      for (const auto& [key, member] : value.members()) {
        out += separator;
        dump_string(key, out);
        out += ':';
        dump_value(member, out);
        separator = ',';
      }
      out += value.members().empty() ? "{}" : "}";
      return;
    }
  }
}

}  // namespace

Json::Json() = default;
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(int64_t value) {
  if (value < 0) {
    value_ = value;
  } else {
    value_ = static_cast<uint64_t>(value);
  }
}

bool Json::boolean() const {
  assert(is_bool());
  return *std::get_if<bool>(&value_);
}

uint64_t Json::uint() const {
  assert(is_uint());
  return *std::get_if<uint64_t>(&value_);
}

int64_t Json::integer() const {
  assert(kind() == Kind::Int);
  return *std::get_if<int64_t>(&value_);
}

double Json::number() const {
  assert(is_number());
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  return static_cast<double>(uint());
}

const std::string& Json::string() const {
  assert(is_string());
  return *std::get_if<std::string>(&value_);
}

const std::vector<Json>& Json::items() const {
  assert(is_array());
  return *std::get_if<Items>(&value_);
}

const std::vector<Json::Member>& Json::members() const {
  assert(is_object());
  return *std::get_if<Members>(&value_);
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (const auto& [name, value] : members()) {
    if (name == key) return &value;
  }
  return nullptr;
}

Json& Json::append(Json value) {
  assert(is_array());
  return std::get_if<Items>(&value_)->emplace_back(std::move(value));
}

Json& Json::append_member(std::string key, Json value) {
  assert(is_object());
  return std::get_if<Members>(&value_)->emplace_back(std::move(key), std::move(value)).second;
}

Json& Json::set(std::string_view key, Json value) {
  assert(is_object());
  for (auto& [name, member] : *std::get_if<Members>(&value_)) {
    if (name == key) return member = std::move(value);
  }
  return append_member(std::string(key), std::move(value));
}

std::string Json::dump() const {
  std::string out;
  dump_value(*this, out);
  return out;
}

Result<Json> parse_json(std::string_view text, uint64_t base_offset, std::string_view path) {
  return TreeBuilder(text, base_offset, path).build();
}

}  // namespace ambry::io

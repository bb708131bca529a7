#include "io/toml/toml.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "io/json/json_reader.h"
#include "io/limits.h"
#include "io/toml/toml_scalar.h"
#include "io/toml/toml_text.h"

namespace ambry::io {
namespace {

bool is_bare_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

class TomlReader : TomlText {
 public:
  TomlReader(std::string_view text, uint64_t base_offset, std::string_view path)
      : TomlText(text, base_offset, path) {
    nodes_.push_back({});
  }

  Result<Json> read();

 private:
  // How a table was made decides what may be added to it later (TOML 1.0, "Table" and "Inline
  // Table").
  enum class Origin : uint8_t {
    Implicit,  // as a parent in the path of a [header]
    Header,    // by a [header]
    Dotted,    // by a dotted key
    Closed,    // an inline table, which is complete
    Tables,    // an array of [[headers]]
    Value,     // not a table: a scalar, or an array in brackets
  };
  struct Node {
    std::string key;
    Origin origin = Origin::Header;
    bool array = false;
    size_t depth = 0;
    uint64_t offset = 0;
    Json value = Json::object();
    std::vector<uint32_t> children;
  };

  Result<void> expect_line_end();

  Result<void> read_header();
  Result<void> read_pair(uint32_t table);
  Result<std::string> read_key_part();
  Result<std::vector<std::string>> read_key();
  Result<void> read_value(uint32_t node);
  Result<bool> open_or_read(uint32_t node);
  Result<uint32_t> next_item(uint32_t container, bool first);
  Result<void> read_scalar(uint32_t node);

  Result<uint32_t> add(uint32_t parent, std::string key, Origin origin);
  [[nodiscard]] uint32_t find(uint32_t parent, std::string_view key) const;
  Result<uint32_t> descend(uint32_t parent, const std::string& key, size_t at);
  Result<uint32_t> place_pair(uint32_t table, std::vector<std::string> key, size_t at);
  Json take_tree();

  static constexpr uint32_t kNone = 0;  // the root, which is no node's child

  std::vector<Node> nodes_;     // parents before their children
  std::vector<uint32_t> open_;  // the arrays and inline tables around the value that is being read
};

Result<void> TomlReader::expect_line_end() {
  skip_blanks();
  AMBRY_RETURN_IF_ERROR(skip_comment());
  if (at_end() || skip_newline()) return {};
  return fail(position_, "expected the end of the line");
}

Result<uint32_t> TomlReader::add(uint32_t parent, std::string key, Origin origin) {
  if (nodes_.size() > kMaxMetadataEntries || nodes_[parent].depth == kMaxJsonDepth) {
    return error_at(ErrorCode::LimitExceeded, base_offset_ + position_, path_,
                    "the TOML text has too many values or levels");
  }
  const auto index = static_cast<uint32_t>(nodes_.size());
  Node node;
  node.key = std::move(key);
  node.origin = origin;
  node.depth = nodes_[parent].depth + 1;
  node.offset = base_offset_ + position_;
  nodes_.push_back(std::move(node));
  nodes_[parent].children.push_back(index);
  return index;
}

uint32_t TomlReader::find(uint32_t parent, std::string_view key) const {
  for (const uint32_t child : nodes_[parent].children) {
    if (nodes_[child].key == key) return child;
  }
  return kNone;
}

// Goes one step down a [header]'s path. Makes the table when it does not exist yet.
Result<uint32_t> TomlReader::descend(uint32_t parent, const std::string& key, size_t at) {
  const uint32_t child = find(parent, key);
  if (child == kNone) return add(parent, key, Origin::Implicit);
  switch (nodes_[child].origin) {
    case Origin::Tables:
      return nodes_[child].children.back();
    case Origin::Closed:
    case Origin::Value:
      return fail(at, {"\"", key, "\" is already complete"});
    default:
      return child;
  }
}

Result<void> TomlReader::read_header() {
  const size_t start = position_;
  const bool many = starts("[[");
  position_ += many ? 2 : 1;
  skip_blanks();
  AMBRY_TRY(const auto key, read_key());
  if (!starts(many ? "]]" : "]")) return fail(position_, "expected a closing bracket");
  position_ += many ? 2 : 1;
  uint32_t table = 0;
  for (size_t i = 0; i + 1 < key.size(); ++i) AMBRY_TRY(table, descend(table, key[i], start));
  uint32_t target = find(table, key.back());
  const Origin wanted = many ? Origin::Tables : Origin::Implicit;
  if (target != kNone && nodes_[target].origin != wanted) {
    return fail(start, {"\"", key.back(), "\" is defined twice"});
  }
  if (target == kNone) AMBRY_TRY(target, add(table, key.back(), wanted));
  if (many) {
    nodes_[target].array = true;
    AMBRY_TRY(target, add(target, {}, Origin::Header));
  }
  nodes_[target].origin = Origin::Header;
  AMBRY_RETURN_IF_ERROR(expect_line_end());
  // Read the pairs up to the next header.
  for (;;) {
    AMBRY_RETURN_IF_ERROR(skip_lines());
    if (at_end() || peek() == '[') return {};
    AMBRY_RETURN_IF_ERROR(read_pair(target));
    AMBRY_RETURN_IF_ERROR(expect_line_end());
  }
}

Result<uint32_t> TomlReader::place_pair(uint32_t table, std::vector<std::string> key, size_t at) {
  for (size_t i = 0; i + 1 < key.size(); ++i) {
    const uint32_t child = find(table, key[i]);
    if (child == kNone) {
      AMBRY_TRY(table, add(table, std::move(key[i]), Origin::Dotted));
    } else if (nodes_[child].origin == Origin::Dotted || nodes_[child].origin == Origin::Implicit) {
      table = child;
      nodes_[table].origin = Origin::Dotted;
    } else {
      return fail(at, {"\"", key[i], "\" is defined elsewhere"});
    }
  }
  if (find(table, key.back()) != kNone) return fail(at, {"\"", key.back(), "\" is defined twice"});
  return add(table, std::move(key.back()), Origin::Value);
}

// Reads `key =`, then the value.
Result<void> TomlReader::read_pair(uint32_t table) {
  const size_t start = position_;
  AMBRY_TRY(auto key, read_key());
  if (peek() != '=') return fail(position_, "expected '=' after the key");
  ++position_;
  skip_blanks();
  AMBRY_TRY(const uint32_t node, place_pair(table, std::move(key), start));
  return read_value(node);
}

Result<std::string> TomlReader::read_key_part() {
  if (starts("\"\"\"") || starts("'''"))
    return fail(position_, "a key must not span several lines");
  if (peek() == '"' || peek() == '\'') return read_string();
  const size_t start = position_;
  while (is_bare_key(peek())) ++position_;
  if (position_ == start) return fail(start, "expected a key");
  return std::string(text_.substr(start, position_ - start));
}

// Reads a dotted key and the blanks after it.
Result<std::vector<std::string>> TomlReader::read_key() {
  std::vector<std::string> parts;
  for (;;) {
    if (parts.size() == kMaxJsonDepth)
      return fail(position_, {"a key has more than ", kMaxJsonDepth, " parts"});
    AMBRY_TRY(auto part, read_key_part());
    parts.push_back(std::move(part));
    skip_blanks();
    if (peek() != '.') return parts;
    ++position_;
    skip_blanks();
  }
}

// Reads a scalar, or opens an array or inline table and returns true.
Result<bool> TomlReader::open_or_read(uint32_t node) {
  nodes_[node].offset = base_offset_ + position_;
  const char c = peek();
  if (c != '[' && c != '{') {
    AMBRY_RETURN_IF_ERROR(read_scalar(node));
    return false;
  }
  ++position_;
  nodes_[node].array = c == '[';
  nodes_[node].origin = c == '[' ? Origin::Value : Origin::Closed;
  open_.push_back(node);
  return true;
}

// Makes a node for the next item of an array or inline table. kNone at the closing bracket.
Result<uint32_t> TomlReader::next_item(uint32_t container, bool first) {
  const bool array = nodes_[container].array;
  const char close = array ? ']' : '}';
  const auto skip = [&]() -> Result<void> {
    if (array) return skip_lines();
    skip_blanks();
    return {};
  };
  AMBRY_RETURN_IF_ERROR(skip());
  bool comma = false;
  if (!first && peek() == ',') {
    comma = true;
    ++position_;
    AMBRY_RETURN_IF_ERROR(skip());
  }
  if (peek() == close && (array || !comma)) {
    ++position_;
    return kNone;
  }
  if (!first && !comma) return fail(position_, "expected a comma or a closing bracket");
  if (array) return add(container, {}, Origin::Value);
  const size_t start = position_;
  AMBRY_TRY(auto key, read_key());
  if (peek() != '=') return fail(position_, "expected '=' after the key");
  ++position_;
  skip_blanks();
  return place_pair(container, std::move(key), start);
}

Result<void> TomlReader::read_value(uint32_t node) {
  AMBRY_TRY(bool opened, open_or_read(node));
  while (!open_.empty()) {
    AMBRY_TRY(const uint32_t item, next_item(open_.back(), opened));
    opened = false;
    if (item == kNone) {
      open_.pop_back();
    } else {
      AMBRY_TRY(opened, open_or_read(item));
    }
  }
  return {};
}

Result<void> TomlReader::read_scalar(uint32_t node) {
  if (peek() == '"' || peek() == '\'') {
    AMBRY_TRY(auto text, read_string());
    nodes_[node].value = Json(std::move(text));
    return {};
  }
  const size_t start = position_;
  const auto skip_token = [&] {
    while (is_bare_key(peek()) || peek() == '+' || peek() == '.' || peek() == ':') ++position_;
  };
  skip_token();
  if (is_toml_date(text_.substr(start, position_ - start)) && peek() == ' ' && peek(1) >= '0' &&
      peek(1) <= '9') {
    ++position_;
    skip_token();
  }
  auto value = toml_scalar(text_.substr(start, position_ - start));
  if (!value) return fail(start, "expected a value");
  nodes_[node].value = std::move(*value);
  return {};
}

// Goes backwards, because every node's children come after it.
Json TomlReader::take_tree() {
  for (size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.array) {
      node.value = Json::array();
      for (const uint32_t child : node.children) node.value.append(std::move(nodes_[child].value));
    } else {
      for (const uint32_t child : node.children) {
        node.value.append_member(std::move(nodes_[child].key), std::move(nodes_[child].value));
      }
    }
    node.value.set_byte_offset(node.offset);
  }
  return std::move(nodes_[0].value);
}

Result<Json> TomlReader::read() {
  if (const auto bad = find_invalid_utf8(text_)) return fail(*bad, "not valid UTF-8");
  if (starts("\xEF\xBB\xBF")) position_ = 3;
  for (;;) {
    AMBRY_RETURN_IF_ERROR(skip_lines());
    if (at_end()) return take_tree();
    if (peek() == '[') {
      AMBRY_RETURN_IF_ERROR(read_header());
    } else {
      AMBRY_RETURN_IF_ERROR(read_pair(0));
      AMBRY_RETURN_IF_ERROR(expect_line_end());
    }
  }
}

}  // namespace

Result<Json> parse_toml(std::string_view text, uint64_t base_offset, std::string_view path) {
  return TomlReader(text, base_offset, path).read();
}

}  // namespace ambry::io

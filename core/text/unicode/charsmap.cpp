#include "text/unicode/charsmap.h"

#include <algorithm>

#include "base/utf8.h"

namespace ambry::text {
namespace {

constexpr size_t kMaxTrieBytes = size_t{4} << 20;
constexpr size_t kMaxKeyBytes = 256;  // real keys are a few characters

// A unit of the double array. The child `c` of the node at i is at i ^ offset ^ c, if the unit
// there has that label. The value of a key that ends at the node is at i ^ offset. A unit with the
// top bit is a value, and no label matches it.
bool has_leaf(uint32_t unit) { return ((unit >> 8) & 1) != 0; }
uint32_t label(uint32_t unit) { return unit & 0x8000'00FFU; }
uint32_t offset(uint32_t unit) { return (unit >> 10) << ((unit & 0x200U) >> 6); }
uint32_t value(uint32_t unit) { return unit & 0x7FFF'FFFFU; }

Failure bad_map(std::string_view path, const Text& message) {
  return make_error(ErrorCode::BadValue, {path, ".precompiled_charsmap"}, message);
}

}  // namespace

Result<Charsmap> Charsmap::create(Bytes bytes, std::string_view path) {
  Charsmap map;
  if (bytes.empty()) return map;
  if (bytes.size() < sizeof(uint32_t))
    return bad_map(path, "the map is too short for its size field");
  const size_t trie_bytes = load_le<uint32_t>(bytes.data());
  const Bytes rest = bytes.subspan(sizeof(uint32_t));
  if (trie_bytes > rest.size() || trie_bytes == 0 || trie_bytes % sizeof(uint32_t) != 0) {
    return bad_map(path, {"the trie has ", trie_bytes, " bytes, but ", rest.size(), " remain"});
  }
  if (trie_bytes > kMaxTrieBytes) {
    return make_error(
        ErrorCode::LimitExceeded, {path, ".precompiled_charsmap"},
        {"the trie has ", trie_bytes, " bytes, but at most ", kMaxTrieBytes, " are supported"});
  }
  map.units_.reserve(trie_bytes / sizeof(uint32_t));
  for (size_t at = 0; at < trie_bytes; at += sizeof(uint32_t)) {
    map.units_.push_back(load_le<uint32_t>(rest.data() + at));
  }
  map.replacements_ = as_text(rest.subspan(trie_bytes));
  AMBRY_RETURN_IF_ERROR(map.check_replacements(path));
  AMBRY_RETURN_IF_ERROR(map.check_trie(path));
  return map;
}

Result<void> Charsmap::check_replacements(std::string_view path) const {
  if (!replacements_.ends_with('\0'))
    return bad_map(path, "the last replacement does not end with a NUL");
  if (find_invalid_utf8(replacements_)) return bad_map(path, "a replacement is not valid UTF-8");
  return {};
}

// The value of a key must be inside the array and must point to the start of a character.
bool Charsmap::has_valid_leaf(uint32_t base) const {
  if (base >= units_.size()) return false;
  const uint32_t at = value(units_[base]);
  return at < replacements_.size() && (static_cast<uint8_t>(replacements_[at]) & 0xC0) != 0x80;
}

// Visits all nodes that a text can reach. Keys may share their ends, so each node has a height: the
// most bytes that can follow. A cycle makes a key that is too long.
Result<void> Charsmap::check_trie(std::string_view path) const {
  struct Step {
    uint32_t node = 0;
    uint32_t next_label = 1;
    size_t height = 0;
  };
  std::vector<size_t> heights(units_.size(), 0);  // for finished nodes, plus 1
  std::vector<Step> way = {{}};
  while (!way.empty()) {
    Step& step = way.back();
    const uint32_t base = step.node ^ offset(units_[step.node]);
    if (step.next_label == 1 && has_leaf(units_[step.node]) && !has_valid_leaf(base)) {
      return bad_map(path, "the replacement of a key lies outside the map");
    }
    std::optional<uint32_t> unfinished;
    for (; !unfinished && step.next_label < 256; ++step.next_label) {
      const uint32_t child = base ^ step.next_label;
      if (child >= units_.size() || label(units_[child]) != step.next_label) continue;
      if (heights[child] == 0) unfinished = child;
      step.height = std::max(step.height, heights[child]);
    }
    if (way.size() - 1 + step.height > kMaxKeyBytes) {
      return bad_map(path, {"a key has no end or more than ", kMaxKeyBytes, " bytes"});
    }
    if (unfinished) {
      way.push_back({*unfinished});
      continue;
    }
    const size_t height = step.height + 1;
    heights[step.node] = height;
    way.pop_back();
    if (!way.empty()) way.back().height = std::max(way.back().height, height);
  }
  return {};
}

// The root cannot be a key: `has_leaf` is checked only after a byte.
template <class Visit>
void Charsmap::for_each_key(std::string_view text, const Visit& visit) const {
  if (units_.empty()) return;
  uint32_t base = offset(units_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const uint32_t node = base ^ byte;
    if (byte == 0 || node >= units_.size() || label(units_[node]) != byte) return;
    base = node ^ offset(units_[node]);
    if (has_leaf(units_[node]) && !visit(i + 1, base)) return;
  }
}

std::string_view Charsmap::replacement(uint32_t node) const {
  const size_t begin = value(units_[node]);
  const size_t end = replacements_.find('\0', begin);
  return std::string_view(replacements_).substr(begin, end - begin);
}

std::optional<Charsmap::Match> Charsmap::longest(std::string_view text) const {
  size_t n_bytes = 0;
  uint32_t leaf = 0;
  for_each_key(text, [&](size_t n, uint32_t node) {
    n_bytes = n;
    leaf = node;
    return true;
  });
  return n_bytes == 0 ? std::nullopt : std::optional(Match{n_bytes, replacement(leaf)});
}

std::optional<Charsmap::Match> Charsmap::shortest(std::string_view text) const {
  std::optional<Match> found;
  for_each_key(text, [&](size_t n, uint32_t node) {
    found = Match{n, replacement(node)};
    return false;
  });
  return found;
}

}  // namespace ambry::text

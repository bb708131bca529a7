#include "text/sentencepiece/sentencepiece_merger.h"

#include <algorithm>

#include "base/utf8.h"

namespace ambry::text {
namespace {

uint32_t count_chars(std::string_view text) {
  const auto starts = [](char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; };
  return static_cast<uint32_t>(std::count_if(text.begin(), text.end(), starts));
}

}  // namespace

void PieceMerger::split_into_symbols() {
  symbols_.clear();
  for (size_t at = 0; at < text_.size();) {
    const std::string_view rest = text_.substr(at);
    Symbol symbol;
    symbol.begin = static_cast<uint32_t>(at);
    if (const auto piece = vocabulary_.user_defined.longest(rest)) {
      symbol.size = piece->n_bytes;
      symbol.id = piece->id;
      symbol.frozen = true;
    } else {
      const bool is_ascii = static_cast<uint8_t>(rest.front()) < 0x80;
      symbol.size = is_ascii ? 1 : decode_utf8(rest, 0).n_bytes;
      symbol.id = vocabulary_.text.find(rest.substr(0, symbol.size)).value_or(kNone);
    }
    const auto index = static_cast<uint32_t>(symbols_.size());
    if (index > 0) symbols_.back().next = index;
    symbol.previous = index > 0 ? index - 1 : kNone;
    at += symbol.size;
    symbols_.push_back(symbol);
  }
}

// The longer left part first, then the longer right part.
uint32_t PieceMerger::split_key(const Symbol& left, const Symbol& right) const {
  const auto shortness = [this](const Symbol& symbol) {
    return 0xFFFF - count_chars(text_.substr(symbol.begin, symbol.size));
  };
  return (shortness(left) << 16) | shortness(right);
}

bool PieceMerger::comes_later(const Join& a, const Join& b) const {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (by_split_ && a.split != b.split) return a.split > b.split;
  if (by_split_ && a.id != b.id) return a.id > b.id;
  return a.left > b.left;
}

std::optional<model::MergeTable::Merge> PieceMerger::merge_of(const Symbol& left,
                                                              const Symbol& right) const {
  if ((by_split_ || merges_ != nullptr) && (left.id == kNone || right.id == kNone)) return {};
  if (merges_ != nullptr) {
    const model::MergeTable::Merge* merge = merges_->find(left.id, right.id);
    return merge == nullptr ? std::nullopt : std::optional(*merge);
  }
  const auto id = vocabulary_.text.find(text_.substr(left.begin, left.size + right.size));
  return id ? std::optional(model::MergeTable::Merge{ranks_[*id], *id}) : std::nullopt;
}

// Queues the merge of two neighbours if the result is a piece.
void PieceMerger::push_candidate(uint32_t left, uint32_t right) {
  if (left == kNone || right == kNone) return;
  const Symbol& a = symbols_[left];
  const Symbol& b = symbols_[right];
  if (a.frozen || b.frozen) return;
  const auto merge = merge_of(a, b);
  if (!merge) return;
  queue_.push_back({.rank = merge->rank,
                    .split = by_split_ ? split_key(a, b) : 0,
                    .left = left,
                    .size = a.size + b.size,
                    .id = merge->id});
  std::push_heap(queue_.begin(), queue_.end(),
                 [this](const Join& x, const Join& y) { return comes_later(x, y); });
  if (vocabulary_.is(merge->id, PieceType::Unused)) remember(merge->id, a.size);
}

void PieceMerger::remember(uint32_t id, uint32_t left_size) {
  const auto place =
      std::lower_bound(unused_.begin(), unused_.end(), id,
                       [](const Parts& p, uint32_t wanted) { return p.id < wanted; });
  if (place != unused_.end() && place->id == id) {
    place->left_size = left_size;
  } else {
    unused_.insert(place, {id, left_size});
  }
}

void PieceMerger::join_all() {
  const auto later = [this](const Join& x, const Join& y) { return comes_later(x, y); };
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Join join = queue_.back();
    queue_.pop_back();
    Symbol& left = symbols_[join.left];
    if (left.size == 0 || left.next == kNone) continue;
    Symbol& right = symbols_[left.next];
    if (left.size + right.size != join.size) continue;
    left.size = join.size;
    left.id = join.id;
    left.next = right.next;
    right.size = 0;
    if (left.next != kNone) symbols_[left.next].previous = join.left;
    push_candidate(left.previous, join.left);
    push_candidate(join.left, left.next);
  }
}

// Splits an unused piece the way it was merged, and its parts likewise.
void PieceMerger::append(const Symbol& symbol, std::vector<PieceMatch>& out) {
  std::vector<Symbol> open = {symbol};
  while (!open.empty()) {
    const Symbol top = open.back();
    open.pop_back();
    const auto parts =
        std::lower_bound(unused_.begin(), unused_.end(), top.id,
                         [](const Parts& p, uint32_t wanted) { return p.id < wanted; });
    if (parts == unused_.end() || parts->id != top.id) {
      out.push_back({top.id, top.size});
      continue;
    }
    const auto part = [&](uint32_t begin, uint32_t size) {
      const auto id = vocabulary_.text.find(text_.substr(begin, size));
      open.push_back({.begin = begin, .size = size, .id = id.value_or(kNone)});
    };
    part(top.begin + parts->left_size, top.size - parts->left_size);
    part(top.begin, parts->left_size);
  }
}

void PieceMerger::encode(std::string_view text, std::vector<PieceMatch>& out) {
  text_ = text;
  unused_.clear();
  queue_.clear();
  split_into_symbols();
  for (uint32_t i = 1; i < symbols_.size(); ++i) push_candidate(i - 1, i);
  join_all();
  for (const Symbol& symbol : symbols_) {
    if (symbol.size == 0) continue;
    if (unused_.empty()) {
      out.push_back({symbol.id, symbol.size});
    } else {
      append(symbol, out);
    }
  }
}

}  // namespace ambry::text

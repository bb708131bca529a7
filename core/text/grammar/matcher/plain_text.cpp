#include "text/grammar/matcher/plain_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/utf8.h"

namespace ambry::text {
namespace {

using State = GrammarMatcher::State;

constexpr size_t kMaxCharacters = 16;
// States after one character. A string has one, and eight within a character.
constexpr size_t kMaxStates = 64;

struct ByteInterval {
  uint8_t first;
  uint8_t last;
};

// The forms of UTF-8: the first bytes, the second ones, and how many follow those.
struct Utf8Form {
  ByteInterval first;
  ByteInterval second;
  int n_more;
};

constexpr std::array<ByteInterval, 3> kPlainAscii = {{{0x20, 0x21}, {0x23, 0x5B}, {0x5D, 0x7E}}};
constexpr ByteInterval kContinuation = {0x80, 0xBF};
constexpr std::array<Utf8Form, 8> kForms = {{{{0xC2, 0xDF}, kContinuation, 0},
                                             {{0xE0, 0xE0}, {0xA0, 0xBF}, 1},
                                             {{0xE1, 0xEC}, kContinuation, 1},
                                             {{0xED, 0xED}, {0x80, 0x9F}, 1},
                                             {{0xEE, 0xEF}, kContinuation, 1},
                                             {{0xF0, 0xF0}, {0x90, 0xBF}, 2},
                                             {{0xF1, 0xF3}, kContinuation, 2},
                                             {{0xF4, 0xF4}, {0x80, 0x8F}, 2}}};

using States = std::vector<State>;

void add_state(States& states, State state) {
  if (std::ranges::count(states, state) == 0) states.push_back(state);
}

// Adds the states after each of the bytes. False when one of them may not follow.
bool add_after(GrammarMatcher& matcher, const States& from, ByteInterval bytes, States& out) {
  for (const State state : from) {
    for (unsigned byte = bytes.first; byte <= bytes.last; ++byte) {
      const State next = matcher.next(state, static_cast<uint8_t>(byte));
      if (next == GrammarMatcher::kDead) return false;
      if (out.empty() || out.back() != next) add_state(out, next);
      if (out.size() > kMaxStates) return false;
    }
  }
  return true;
}

// The states after any one character of plain text; none when not every one may follow.
States after_plain_character(GrammarMatcher& matcher, const States& from) {
  States out;
  for (const ByteInterval range : kPlainAscii) {
    if (!add_after(matcher, from, range, out)) return {};
  }
  for (const Utf8Form& form : kForms) {
    States within;
    if (!add_after(matcher, from, form.first, within)) return {};
    for (int i = 0; i <= form.n_more; ++i) {
      States next;
      const ByteInterval bytes = i == 0 ? form.second : kContinuation;
      if (!add_after(matcher, within, bytes, i == form.n_more ? out : next)) return {};
      within = std::move(next);
    }
  }
  return out;
}

bool is_plain(const DecodedCodePoint& c) {
  return c.valid && c.code_point >= 0x20 && c.code_point != '"' && c.code_point != '\\' &&
         c.code_point != 0x7F;
}

}  // namespace

bool is_short_plain_text(std::string_view bytes) {
  size_t n_characters = 0;
  for (size_t i = 0; i < bytes.size(); ++n_characters) {
    const DecodedCodePoint c = decode_utf8(bytes, i);
    if (!is_plain(c)) return false;
    i += c.n_bytes;
  }
  return n_characters > 0 && n_characters <= kMaxCharacters;
}

bool allows_plain_text(GrammarMatcher& matcher, State state) {
  States now = {state};
  for (size_t n = 0; n < kMaxCharacters; ++n) {
    States next = after_plain_character(matcher, now);
    if (next.empty()) return false;
    const auto is_known = [&](State after) { return std::ranges::count(now, after) > 0; };
    if (std::ranges::all_of(next, is_known)) return true;  // it goes on like this
    now = std::move(next);
  }
  return true;
}

}  // namespace ambry::text

// Finds the ends of grapheme clusters, as far as Hugging Face's Precompiled normalizer needs them.
// It uses clusters of fewer than six bytes, which consist of marks, line ends and prepended
// characters. Larger ones (Hangul syllables, conjuncts, flags, joined emoji) may be split.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/utf8.h"
#include "text/unicode/charsmap.h"

namespace ambry::text {

// The end of the cluster that starts at `begin`, which is before the end of the text.
[[nodiscard]] size_t grapheme_end(std::string_view text, size_t begin);

// Applies a charsmap as Hugging Face does, which differs from SentencePiece. If a cluster of fewer
// than six bytes starts with a key, the shortest such key's replacement replaces the whole cluster.
// Other clusters are looked up character by character. Calls `use(begin, end, replacement)` with
// each part of the text, from the left.
template <class Use>
void replace_by_graphemes(const Charsmap& map, std::string_view text, const Use& use) {
  constexpr size_t kMaxClusterBytes = 5;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = grapheme_end(text, begin);
    const bool small = end - begin <= kMaxClusterBytes;
    const auto whole = small ? map.shortest(text.substr(begin, end - begin)) : std::nullopt;
    if (whole) use(begin, end, whole->replacement);
    for (size_t at = whole ? end : begin; at < end;) {
      const size_t next = at + decode_utf8(text, at).n_bytes;
      const std::string_view one = text.substr(at, next - at);
      const auto found = map.shortest(one);
      use(at, next, found ? found->replacement : one);
      at = next;
    }
    begin = end;
  }
}

}  // namespace ambry::text

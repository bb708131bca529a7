// SentencePiece's way from a text to the string that pieces are cut from
// (core/text/README.md#sentencepiece-normalization): replacements by the charsmap, spaces removed,
// marked and put in front.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentencepiece/charsmap.h"
#include "text/sentencepiece/piece_trie.h"

namespace ambry::text {

inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581

// Valid UTF-8, and for each of its bytes, and its end, the byte of the text that it comes from.
struct NormalizedText {
  std::string text;
  std::vector<uint32_t> origins;
};

struct SpaceOptions {
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;  // at both ends, and all but one of a run
  bool escape_whitespaces = true;        // as U+2581
  bool whitespace_as_suffix = false;     // the dummy goes behind
};

class SentencePieceNormalizer {
 public:
  SentencePieceNormalizer(Charsmap charsmap, const SpaceOptions& spaces)
      : charsmap_(std::move(charsmap)), spaces_(spaces) {}

  [[nodiscard]] const SpaceOptions& spaces() const { return spaces_; }
  [[nodiscard]] std::string_view space() const {
    return spaces_.escape_whitespaces ? kSpaceMark : std::string_view(" ");
  }

  // Replaces `out`. Pieces in `verbatim` stay as they are; `dummy` only takes the dummy prefix
  // away. Each ill-formed byte becomes U+FFFD.
  void normalize(std::string_view text, const PieceTrie& verbatim, bool dummy,
                 NormalizedText& out) const;

 private:
  struct Step {
    std::string_view text;
    size_t n_bytes = 0;  // of the input
  };

  [[nodiscard]] Step next(std::string_view rest, const PieceTrie& verbatim) const;

  Charsmap charsmap_;
  SpaceOptions spaces_;
};

}  // namespace ambry::text

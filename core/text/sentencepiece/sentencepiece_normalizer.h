// SentencePiece's normalization (core/text/README.md#sentencepiece-normalization): applies the
// charsmap, and removes, marks and adds spaces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentencepiece/piece_trie.h"
#include "text/unicode/charsmap.h"

namespace ambry::text {

inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581

// Valid UTF-8, and the origin in the original text of each byte and of the end.
struct NormalizedText {
  std::string text;
  std::vector<uint32_t> origins;
};

struct SpaceOptions {
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;  // spaces at both ends, and all but one of a run
  bool escape_whitespaces = true;        // to U+2581
  bool whitespace_as_suffix = false;     // the dummy goes to the end
};

class SentencePieceNormalizer {
 public:
  SentencePieceNormalizer(Charsmap charsmap, const SpaceOptions& spaces)
      : charsmap_(std::move(charsmap)), spaces_(spaces) {}

  [[nodiscard]] const SpaceOptions& spaces() const { return spaces_; }
  [[nodiscard]] std::string_view space() const {
    return spaces_.escape_whitespaces ? kSpaceMark : std::string_view(" ");
  }

  // Replaces `out`. Pieces in `verbatim` stay unchanged. dummy = false leaves out the dummy prefix.
  // Each ill-formed byte becomes U+FFFD.
  void normalize(std::string_view text, const PieceTrie& verbatim, bool dummy,
                 NormalizedText& out) const;

 private:
  struct Step {
    std::string_view text;
    size_t n_bytes = 0;  // in the input
  };

  [[nodiscard]] Step next(std::string_view rest, const PieceTrie& verbatim) const;

  Charsmap charsmap_;
  SpaceOptions spaces_;
};

}  // namespace ambry::text

#include "text/sentencepiece/sentencepiece_normalizer.h"

#include "base/utf8.h"

namespace ambry::text {
namespace {

void append(NormalizedText& out, std::string_view bytes, size_t origin) {
  out.text += bytes;
  out.origins.insert(out.origins.end(), bytes.size(), static_cast<uint32_t>(origin));
}

}  // namespace

// What the start of `rest` becomes: a user-defined piece, the replacement of the longest charsmap
// key, or one character.
SentencePieceNormalizer::Step SentencePieceNormalizer::next(std::string_view rest,
                                                            const PieceTrie& verbatim) const {
  if (const auto piece = verbatim.longest(rest)) {
    return {rest.substr(0, piece->n_bytes), piece->n_bytes};
  }
  if (const auto key = charsmap_.longest(rest)) return {key->replacement, key->n_bytes};
  if (static_cast<uint8_t>(rest.front()) < 0x80) return {rest.substr(0, 1), 1};
  const DecodedCodePoint c = decode_utf8(rest, 0);
  if (!c.valid) return {"\xEF\xBF\xBD", 1};
  return {rest.substr(0, c.n_bytes), c.n_bytes};
}

void SentencePieceNormalizer::normalize(std::string_view text, const PieceTrie& verbatim,
                                        bool dummy, NormalizedText& out) const {
  out.text.clear();
  out.origins.clear();
  const bool remove_extra = spaces_.remove_extra_whitespaces;
  size_t consumed = 0;
  while (remove_extra && consumed < text.size()) {
    const Step step = next(text.substr(consumed), verbatim);
    if (step.text != " ") break;
    consumed += step.n_bytes;
  }
  const bool add_dummy = dummy && spaces_.add_dummy_prefix && consumed < text.size();
  if (add_dummy && !spaces_.whitespace_as_suffix) append(out, space(), consumed);

  bool after_space = remove_extra;
  while (consumed < text.size()) {
    Step step = next(text.substr(consumed), verbatim);
    while (after_space && step.text.starts_with(' ')) step.text.remove_prefix(1);
    if (!step.text.empty()) after_space = remove_extra && step.text.ends_with(' ');
    for (const char& byte : step.text) {
      append(out, byte == ' ' ? space() : std::string_view(&byte, 1), consumed);
    }
    consumed += step.n_bytes;
  }
  while (remove_extra && out.text.ends_with(space())) {
    const size_t length = out.text.size() - space().size();
    consumed = out.origins[length];
    out.text.erase(length);
    out.origins.resize(length);
  }
  if (add_dummy && spaces_.whitespace_as_suffix) append(out, space(), consumed);
  out.origins.push_back(static_cast<uint32_t>(consumed));
}

}  // namespace ambry::text

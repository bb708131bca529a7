#include "text/wordpiece/wordpiece_decoder.h"

#include <array>
#include <utility>

namespace ambry::text {
namespace {

// Texts and what they become, applied in this order.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kCleanup = {{
    {" .", "."},
    {" ?", "?"},
    {" !", "!"},
    {" ,", ","},
    {" ' ", "'"},
    {" n't", "n't"},
    {" 'm", "'m"},
    {" do not", " don't"},
    {" 's", "'s"},
    {" 've", "'ve"},
    {" 're", "'re"},
}};

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

void clean_up(std::string& text) {
  for (const auto& [from, to] : kCleanup) replace_all(text, from, to);
}

void WordPieceDecoder::add(std::string_view token) {
  std::string piece;
  if (!first_) {
    if (token.starts_with(prefix_)) {
      token.remove_prefix(prefix_.size());
    } else {
      piece = ' ';
    }
  }
  first_ = false;
  piece += token;
  if (cleanup_) clean_up(piece);
  text_ += piece;
}

}  // namespace ambry::text

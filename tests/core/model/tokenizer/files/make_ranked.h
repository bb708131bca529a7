// Small vocabularies by rank: the 256 bytes, then the tokens that are given.
#pragma once

#include <algorithm>

#include <string>
#include <string_view>
#include <vector>

namespace ambry::model {

inline std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = (bits << 8U) | (k < n ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= n ? kDigits[(bits >> (18U - 6U * k)) & 63U] : '=';
    }
  }
  return text;
}

inline std::vector<std::string> ranked_tokens(const std::vector<std::string>& more) {
  std::vector<std::string> tokens;
  for (unsigned byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  tokens.insert(tokens.end(), more.begin(), more.end());
  return tokens;
}

// A file of tiktoken with these tokens.
inline std::string tiktoken_file(const std::vector<std::string>& tokens) {
  std::string file;
  for (size_t rank = 0; rank < tokens.size(); ++rank) {
    file += to_base64(tokens[rank]) + " " + std::to_string(rank) + "\n";
  }
  return file;
}

}  // namespace ambry::model

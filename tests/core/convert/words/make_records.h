// Small files of word vectors.
#pragma once

#include <array>
#include <bit>
#include <initializer_list>
#include <string>
#include <string_view>

#include "convert/words/run_words.h"

namespace ambry::convert::testing {

inline const Options kWord2Vec = from_to("word2vec", "finalfusion");
inline const Options kText = from_to("text", "finalfusion");
inline const Options kTextDims = from_to("textdims", "finalfusion");
inline const Options kFloret = from_to("floret", "finalfusion");

inline std::string floats(std::initializer_list<float> values) {
  std::string bytes;
  for (const float value : values)
    bytes.append(std::bit_cast<std::array<char, 4>>(value).data(), 4);
  return bytes;
}

// 2 words of 2 values: "a" at byte 4, "bc" at byte 15.
inline std::string word2vec_file() {
  return "2 2\na " + floats({3, 4}) + "\nbc " + floats({0, -2}) + "\n";
}

inline File file(std::string_view text) { return bytes_of_text(text); }

}  // namespace ambry::convert::testing

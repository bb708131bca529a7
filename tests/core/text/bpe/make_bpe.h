// Small byte-level BPE vocabularies: every byte, and the tokens that the merges give.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/tokenizer/bpe/byte_alphabet.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/bpe/byte_level_bpe.h"

namespace ambry::text::testing {

using Merges = std::vector<std::pair<std::string_view, std::string_view>>;

inline model::TokenizerData byte_level_data(const Merges& merges,
                                            std::string pretokenizer = "gpt2") {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::Bpe;
  data.pretokenizer = std::move(pretokenizer);
  for (unsigned byte = 0; byte < 256; ++byte) {
    data.vocabulary.push_back(model::ByteAlphabet::instance().spelling(static_cast<uint8_t>(byte)));
  }
  for (const auto& [left, right] : merges) {
    data.vocabulary.push_back(std::string(left).append(right));
    data.merges.push_back(left);
    data.merges.push_back(right);
  }
  return data;
}

inline std::unique_ptr<Tokenizer> make_bpe(model::TokenizerData data) {
  auto made = ByteLevelBpe::create(std::move(data));
  return made ? std::move(*made) : nullptr;
}

// The tokens, separated by bars.
inline std::string tokens_of(const Tokenizer& tokenizer, std::string_view text) {
  std::string out;
  for (const uint32_t id : tokenizer.encode(text, {}).ids) {
    if (!out.empty()) out += '|';
    out += tokenizer.token(id);
  }
  return out;
}

}  // namespace ambry::text::testing

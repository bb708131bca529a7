// The files of small tokenizers of language models.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "formats/huggingface/tokenizer/decoder_tokenizer.h"

namespace ambry::formats::huggingface::testing {

// A tokenizer.json of byte-level BPE that cuts texts as `pre_tokenizer` says.
inline std::string byte_level(const std::string& pre_tokenizer,
                              const std::string& merges = R"(["a b"])",
                              const std::string& normalizer = "null") {
  return R"({"added_tokens":[{"id":3,"content":"<end>","special":true}],"normalizer":)" +
         normalizer + R"(,"pre_tokenizer":)" + pre_tokenizer +
         R"(,"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","ignore_merges":true,"vocab":{"a":0,"b":1,"ab":2},"merges":)" +
         merges + "}}";
}

inline SideFiles with(const std::string& tokenizer_json, const std::string& settings = "{}") {
  SideFiles files;
  files.add("tokenizer.json", tokenizer_json);
  files.add("tokenizer_config.json", settings);
  return files;
}

inline DecoderTokenizer read(const SideFiles& files, const char* config = "{}") {
  auto read = read_decoder_tokenizer(files, *io::parse_json(config));
  if (read && *read) return std::move(**read);
  ADD_FAILURE() << (read ? "no tokenizer" : describe(read.error()));
  return {};
}

inline std::string option(const DecoderTokenizer& read, std::string_view key) {
  const io::Json* value = read.options.find(key);
  return value == nullptr ? "absent" : value->dump();
}

inline constexpr const char* kByteLevel = R"({"type":"ByteLevel","add_prefix_space":false})";

}  // namespace ambry::formats::huggingface::testing

// Files for the tests of this room: fixtures of the repository, and real data if there is any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data_files.h"
#include "io/json/json.h"
#include "model/vocabulary/vocabulary.h"
#include "text/unicode/encoding.h"

namespace ambry::text {

// Without special tokens and without a pair.
inline constexpr EncodeOptions kPlain = {false, std::nullopt};

inline std::optional<std::string> read_fixture(const std::string& name) {
  return ambry::testing::read_text(ambry::testing::fixtures_folder() / "wordpiece" / name);
}

inline std::optional<std::string> read_data(const std::string& name) {
  return ambry::testing::read_text(ambry::testing::data_folder() / name);
}

inline std::vector<uint32_t> numbers(const io::Json& list) {
  std::vector<uint32_t> out;
  for (const io::Json& item : list.items()) out.push_back(static_cast<uint32_t>(item.uint()));
  return out;
}

inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

// A text and its tokens in llama.cpp, without special tokens.
struct LlamaCppCase {
  std::string text;
  std::vector<uint32_t> ids;
};

// llama.cpp's 47 test texts for the vocabulary of this name. Empty without the data folder.
inline std::vector<LlamaCppCase> llama_cpp_cases(const std::string& vocabulary) {
  const std::string stem = "tokenizers/llamacpp/ggml-vocab-" + vocabulary + ".gguf";
  const auto inputs = read_data(stem + ".inp");
  const auto outputs = read_data(stem + ".out");
  if (!inputs || !outputs) return {};
  const auto lines = split(*outputs, "\n");
  std::vector<LlamaCppCase> cases;
  for (const std::string_view text : split(*inputs, "\n__ggml_vocab_test__\n")) {
    LlamaCppCase& added = cases.emplace_back();
    added.text = text;
    for (const std::string_view id : split(lines.at(cases.size() - 1), " ")) {
      if (!id.empty()) added.ids.push_back(static_cast<uint32_t>(std::stoul(std::string(id))));
    }
  }
  return cases;
}

// One token in each line.
inline model::Vocabulary vocabulary_of_lines(std::string_view text) {
  model::Vocabulary vocabulary;
  auto lines = split(text, "\n");
  if (lines.back().empty()) lines.pop_back();
  for (const std::string_view line : lines) vocabulary.push_back(line);
  return vocabulary;
}

}  // namespace ambry::text

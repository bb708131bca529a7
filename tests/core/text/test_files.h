// Files that tests of this room read: fixtures of the repository, and real data where there is
// some.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocabulary.h"

namespace ambry::text {

inline std::optional<std::string> read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string content;
  char buffer[65536];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) content.append(buffer, n);
  std::fclose(file);
  return content;
}

inline std::optional<std::string> read_fixture(const std::string& name) {
  return read_file(std::string(AMBRY_FIXTURES) + "/wordpiece/" + name);
}

// A file of the data folder: AMBRY_DATA, or shared/data in or beside the repository. Programs
// compiled to WebAssembly do not see the environment and find it only there.
inline std::optional<std::string> read_data(const std::string& name) {
  const char* folder = std::getenv("AMBRY_DATA");
  if (folder != nullptr) return read_file(std::string(folder) + "/" + name);
  const std::string root = std::string(AMBRY_FIXTURES) + "/../..";
  auto content = read_file(root + "/shared/data/" + name);
  return content ? content : read_file(root + "/../shared/data/" + name);
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

// One token a line; the last line ends like the others.
inline model::Vocabulary vocabulary_of_lines(std::string_view text) {
  model::Vocabulary vocabulary;
  auto lines = split(text, "\n");
  if (lines.back().empty()) lines.pop_back();
  for (const std::string_view line : lines) vocabulary.push_back(line);
  return vocabulary;
}

}  // namespace ambry::text

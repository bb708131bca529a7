// Real models and tokenizers, too large for the repository: the data folder's files, which tests
// read where there is one.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace ambry::testing {

// AMBRY_DATA, or shared/data in or beside the repository.
inline std::filesystem::path data_folder() {
  namespace fs = std::filesystem;
  if (const char* stated = std::getenv("AMBRY_DATA")) return stated;
  const fs::path root = fs::path(AMBRY_FIXTURES) / "../..";
  const fs::path inside = root / "shared/data";
  return (fs::exists(inside) ? inside : root / "../shared/data").lexically_normal();
}

// The bytes of a file; none where it cannot be opened.
inline std::optional<std::vector<uint8_t>> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::vector<uint8_t>(std::istreambuf_iterator<char>(stream), {});
}

// The same of the data folder.
inline std::optional<std::vector<uint8_t>> data_file(const std::string& name) {
  return read_file(data_folder() / name);
}

inline std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace ambry::testing

// The data folder's files: real models and tokenizers, too large for the repository. Tests that
// need one are skipped where it is missing.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "fixtures_folder.h"

namespace ambry::testing {

// Skips the test, or all tests of a fixture in SetUp(), where one of these files or folders is
// missing.
#define AMBRY_NEEDS_DATA(...)                                                                      \
  if (const std::string missing = ::ambry::testing::missing_data({__VA_ARGS__}); !missing.empty()) \
  GTEST_SKIP() << missing

// AMBRY_DATA, which is empty where there is no data, or shared/data in or beside the repository.
inline std::filesystem::path data_folder() {
  namespace fs = std::filesystem;
  const fs::path root = (fixtures_folder() / "../..").lexically_normal();
  if (const char* stated = std::getenv("AMBRY_DATA")) {
    return *stated == '\0' ? root / "build/no-data" : fs::path(stated);
  }
  const fs::path inside = root / "shared/data";
  return fs::exists(inside) ? inside : (root / "../shared/data").lexically_normal();
}

// Says which of these the data folder lacks, and how to give it; empty where none is missing.
inline std::string missing_data(std::initializer_list<std::string> names) {
  const std::filesystem::path folder = data_folder();
  for (const std::string& name : names) {
    if (std::filesystem::exists(folder / name)) continue;
    return "no " + name + " in " + folder.string() + ": set AMBRY_DATA to the folder of test data";
  }
  return {};
}

// The bytes of a file; none where it cannot be opened.
inline std::optional<std::vector<uint8_t>> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::vector<uint8_t>(std::istreambuf_iterator<char>(stream), {});
}

// The bytes of a file of the data folder; none where it cannot be opened.
inline std::optional<std::vector<uint8_t>> data_file(const std::string& name) {
  return read_file(data_folder() / name);
}

inline std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace ambry::testing

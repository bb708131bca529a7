// Calls every fuzz target without libFuzzer, with the formats' fixtures and with what a fuzzer once
// found, so that every compiler checks it:
//
//   fuzz_replay CORPUS          CORPUS/<target>/* are the findings
//   fuzz_replay --seeds FOLDER  writes the fixtures to FOLDER/<format>/ for the fuzzers to start
//   from
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "formats/conformance.h"

#define TARGET(name) extern "C" int replay_##name(const uint8_t* data, size_t size);
#include "fuzz_targets.inc"
#undef TARGET

namespace {

using ambry::formats::testing::File;
using ambry::formats::testing::fixtures;
namespace fs = std::filesystem;

struct Target {
  const char* name;
  int (*run)(const uint8_t* data, size_t size);
};

constexpr Target kTargets[] = {
#define TARGET(name) {#name, replay_##name},
#include "fuzz_targets.inc"
#undef TARGET
};

std::vector<File> findings(const fs::path& folder) {
  std::vector<File> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

void replay(const fs::path& corpus) {
  for (const Target& target : kTargets) {
    std::vector<File> inputs = findings(corpus / target.name);
    const size_t n_findings = inputs.size();
    inputs.emplace_back();
    for (auto& fixture : fixtures()) inputs.push_back(std::move(fixture.file));
    for (const File& input : inputs) target.run(input.data(), input.size());
    std::printf("%s: %zu inputs, %zu of them findings\n", target.name, inputs.size(), n_findings);
  }
}

void write_seeds(const fs::path& folder) {
  for (const auto& fixture : fixtures()) {
    fs::create_directories(folder / fixture.id);
    std::ofstream file(folder / fixture.id / fixture.name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(fixture.file.data()),
               static_cast<std::streamsize>(fixture.file.size()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--seeds") {
    write_seeds(argv[2]);
    return 0;
  }
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_replay CORPUS | --seeds FOLDER\n");
    return 2;
  }
  replay(argv[1]);
  return 0;
}

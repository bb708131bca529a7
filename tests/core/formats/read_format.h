// Reads files that a test has made in a format of the registry, and says what was found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/registry.h"
#include "io/crc32.h"
#include "io/diagnostics.h"

namespace ambry::formats::testing {

using File = std::vector<uint8_t>;

struct Outcome {
  Result<model::Model> model = model::Model();
  io::Diagnostics found = {};

  [[nodiscard]] bool accepted() const { return model && found.errors.empty(); }
  [[nodiscard]] bool clean() const { return accepted() && found.warnings.empty(); }
  // The first problem: the fatal one, else the first error, else the first warning.
  [[nodiscard]] const Error* problem() const {
    if (!model) return &model.error();
    if (!found.errors.empty()) return &found.errors.front();
    return found.warnings.empty() ? nullptr : &found.warnings.front();
  }
  // What was found, for messages.
  [[nodiscard]] std::string text() const {
    std::string text = model ? "" : describe(model.error()) + "\n";
    for (const Error& e : found.errors) text += "error " + describe(e) + "\n";
    for (const Error& w : found.warnings) text += "warning " + describe(w) + "\n";
    return text;
  }
};

struct Reading {
  io::Strictness strictness = io::Strictness::Strict;
  model::ReadOptions options = {};
};

[[nodiscard]] inline Outcome read(const io::Source& source, const Format& format,
                                  const Reading& reading = {}) {
  io::Diagnostics found;
  found.strictness = reading.strictness;
  auto model = format.parse(source, found, reading.options);
  if (model) format.check(*model, found);
  return {std::move(model), std::move(found)};
}

[[nodiscard]] inline Outcome read(const File& file, const Format& format,
                                  const Reading& reading = {}) {
  const io::MemorySource source(file);
  return read(source, format, reading);
}

// Whether every checksum that the model states over its file holds.
[[nodiscard]] inline bool checksums_hold(const model::Model& model, const File& file) {
  return std::ranges::all_of(model.checksums, [&](const model::ByteRangeCrc& crc) {
    return io::crc32(Bytes(file).subspan(static_cast<size_t>(crc.begin),
                                         static_cast<size_t>(crc.end - crc.begin))) == crc.expected;
  });
}

// The first problem at this path; nullptr when there is none.
[[nodiscard]] inline const Error* find(const std::vector<Error>& problems, std::string_view path) {
  const auto found = std::ranges::find(problems, path, &Error::path);
  return found == problems.end() ? nullptr : &*found;
}
[[nodiscard]] inline bool has(const std::vector<Error>& problems, std::string_view path) {
  return find(problems, path) != nullptr;
}

}  // namespace ambry::formats::testing

// What the registry-wide tests share: every format's fixtures, and reading them in all the ways in
// which a caller may.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "formats/read_format.h"

namespace ambry::formats::testing {

// What becomes of a file that is read, laid out and written again.
enum class Rewritten : uint8_t {
  Same,      // the same bytes: the file is as our writer makes it
  Strict,    // another file that strict reading accepts, of the same content
  Converts,  // more than a rewrite is needed, which the format's own tests show
};

struct Fixture {
  std::string id;
  std::string name;
  File file;
  bool sealed = false;  // checksums cover every byte
  Rewritten rewritten = Rewritten::Same;
};

// In fixtures.cpp; small files, for they are read thousands of times.
[[nodiscard]] std::vector<Fixture> fixtures();
[[nodiscard]] inline std::string name_of(const Fixture& fixture) {
  return fixture.id + "_" + fixture.name;
}
// For GoogleTest's messages.
inline void PrintTo(const Fixture& fixture, std::ostream* out) { *out << name_of(fixture); }

// Reads through a source that holds nothing but what was asked for; `asked_bytes`, when given, says
// how much that was.
[[nodiscard]] Outcome read_in_parts(const File& file, const Format& format,
                                    const Reading& reading = {}, uint64_t* asked_bytes = nullptr);

// Everything that an outcome says, to be compared.
[[nodiscard]] std::string summary(const Outcome& outcome);

// The tokens that the file has, whether or not they were read.
[[nodiscard]] uint64_t token_count(const model::Model& model);

// Where a test changes a file: every byte of a small one; of a larger one the start, the end and
// places between them, so that the time stays bounded as fixtures grow.
[[nodiscard]] std::vector<size_t> tried_positions(size_t size);

// The bits of the byte there that are flipped: each in turn, then all. A build with sanitizers
// flips one and all.
[[nodiscard]] std::vector<int> flips_at(size_t at);

}  // namespace ambry::formats::testing

// A conversion at work, whatever its kind: it asks for blocks of its source and hands out those of
// its target, one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/result.h"
#include "convert/options.h"
#include "convert/quantize/report.h"
#include "convert/source_files.h"

namespace ambry::convert {

struct Step {
  // Work: nothing to read or to write, but more to be computed by the next call.
  enum class Kind : uint8_t { Read, Write, Compute, Done };
  Kind kind = Kind::Done;
  // In the source for Read, in the target for Write; for TransformStep how far it has come, of
  // kProgressDone.
  uint64_t offset = 0;
  MutableBytes target;  // Read: to be filled before the next call
  Bytes bytes;          // Write: to be taken before the next call
  uint32_t file = 0;    // Read: which of the SourceFiles' files

  static constexpr uint64_t kProgressDone = 1000;
};

class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  // Writes come in order from offset 0 to total_bytes(); only what could not be known in time, such
  // as a checksum that stands before what it covers, is written over at the end.
  [[nodiscard]] virtual Result<Step> next() = 0;
  [[nodiscard]] virtual uint64_t total_bytes() const = 0;
  // How much of the source is read once more before the first byte is written; total_bytes() is an
  // estimate until then, and that of a text until the end.
  [[nodiscard]] virtual uint64_t bytes_to_measure() const { return 0; }
  // Things left out or guessed; never errors.
  [[nodiscard]] virtual const std::vector<Error>& warnings() const = 0;
  // What is done to the numbers, complete when the job is; none of jobs that do not measure it.
  [[nodiscard]] virtual const Report* report() const { return nullptr; }
};

// Begins a job of one kind. Restartable on NeedBytes.
using BeginJob = Result<std::unique_ptr<Job>> (*)(const SourceFiles& sources,
                                                  const Options& options);

}  // namespace ambry::convert

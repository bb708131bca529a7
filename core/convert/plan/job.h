// A running conversion of any kind. It asks for blocks of its source and returns blocks of its
// target, one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/report.h"
#include "convert/plan/source_files.h"

namespace ambry::convert {

struct Step {
  // Compute: nothing to read or write, but the next call computes more.
  enum class Kind : uint8_t { Read, Write, Compute, Done };
  Kind kind = Kind::Done;
  // Read: in the source. Write: in the target. Compute: the progress, out of kProgressDone.
  uint64_t offset = 0;
  MutableBytes target;  // Read: the caller fills this before the next call
  Bytes bytes;          // Write: the caller takes this before the next call
  uint32_t file = 0;    // Read: index in SourceFiles::files()

  static constexpr uint64_t kProgressDone = 1000;
};

class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  // Writes come in order from offset 0 to total_bytes(). Only values that were not known in time,
  // such as a checksum that precedes its range, are overwritten at the end.
  [[nodiscard]] virtual Result<Step> next() = 0;
  [[nodiscard]] virtual uint64_t total_bytes() const = 0;
  // How many bytes of the source are read an extra time before the first write. Until then,
  // total_bytes() is an estimate; for text formats, it is one until the end.
  [[nodiscard]] virtual uint64_t bytes_to_measure() const { return 0; }
  // What was left out or guessed. These are never errors.
  [[nodiscard]] virtual const std::vector<Error>& warnings() const = 0;
  // The changes to the values, complete when the job is done. nullptr for jobs that do not measure
  // them.
  [[nodiscard]] virtual const Report* report() const { return nullptr; }
};

// Begins a job of one kind. On NeedBytes, load the bytes and call it again.
using BeginJob = Result<std::unique_ptr<Job>> (*)(const SourceFiles& sources,
                                                  const Options& options);

}  // namespace ambry::convert

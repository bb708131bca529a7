// Checks a file: its structure from the held parts, then, as its bytes stream by, its checksums and
// on request its numbers. All independent problems are reported, not only the first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/byte_sink.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::api {

using io::Strictness;

struct ValidateOptions {
  Strictness strictness = Strictness::Lenient;
  bool values = false;  // also look at every number: NaN, infinity, tensors of zeros
};

class Validation final : public ByteSink {
 public:
  // Fails only with NeedBytes; every other problem goes into the report. Nothing is wanted from the
  // stream when the structure is broken, or when neither checksums nor values are to be checked.
  [[nodiscard]] static Result<std::unique_ptr<Validation>> begin(const io::Source& source,
                                                                 const ValidateOptions& options);

  // JSON: {format, version, valid, errors, warnings}; call when wanted() is 0.
  [[nodiscard]] std::string finish();

 private:
  struct ValueTally {
    uint64_t n_nan = 0;
    uint64_t n_infinite = 0;
    bool any_nonzero = false;
    uint64_t first_bad_offset = 0;
  };

  Validation() : ByteSink(TensorMemory::Chunks) {}

  [[nodiscard]] Result<void> examine(const io::Source& source, const ValidateOptions& options);
  [[nodiscard]] Result<void> plan_stream(const ValidateOptions& options);
  void report_values(const model::TensorEntry& tensor, const ValueTally& tally);

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override;

  bool recognised_ = false;
  model::Model model_;
  io::Diagnostics diagnostics_;
  std::vector<ValueTally> tallies_;  // one for each tensor when values are checked
};

}  // namespace ambry::api

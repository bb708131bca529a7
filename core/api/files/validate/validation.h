// Checks a file: first its structure, then, as its bytes stream by, its checksums, its padding and,
// on request, its values. It reports all independent problems, not only the first.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/files/file_map.h"
#include "api/files/validate/value_check.h"
#include "api/loading/byte_sink.h"
#include "formats/registry.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

using io::Strictness;

struct ValidateOptions {
  Strictness strictness = Strictness::Lenient;
  // Whether to check every value. Strict reading checks those that the format has a rule for, if
  // the file is streamed anyway.
  bool values = false;
  bool checksums = true;   // verify them, by streaming the file
  bool vocabulary = true;  // false: a remote file is checked by its headers and tables
};

class Validation final : public ByteSink {
 public:
  // Fails only with NeedBytes; any other problem is added to the report. Nothing is streamed when
  // the structure is broken, or when neither checksums nor values are checked.
  [[nodiscard]] static Result<std::unique_ptr<Validation>> begin(const io::Source& source,
                                                                 const ValidateOptions& options);

  // JSON of ValidationReport (web/src/entries/types.ts); call once, when wanted() is 0.
  [[nodiscard]] std::string finish();

 private:
  Validation() : ByteSink(TensorMemory::Chunks) {}

  [[nodiscard]] Result<void> examine(const io::Source& source, const ValidateOptions& options);
  [[nodiscard]] Result<void> plan_stream(const ValidateOptions& options, bool values_are_sound);
  void check_map();
  void check_padding(uint64_t offset, Bytes bytes);
  [[nodiscard]] bool rewritable();

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override;

  const formats::Format* format_ = nullptr;
  model::Model model_;
  io::Diagnostics diagnostics_;
  bool vocabulary_ = true;   // whether it was read
  bool statistics_ = false;  // whether they are reported
  bool tensors_overlap_ = false;
  bool in_doubt_ = true;            // whether the content may be damaged
  std::vector<MapRegion> padding_;  // by offset; the part from next_padding_ on is still to come
  size_t next_padding_ = 0;
  std::optional<ValueCheck> values_;
};

}  // namespace ambry::api

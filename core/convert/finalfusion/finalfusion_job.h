// What the jobs that write a finalfusion file's vectors in another form have in common: they walk
// through the target's layout and have every tensor made as its turn comes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/finalfusion/row_stream.h"
#include "convert/job.h"
#include "convert/source_model.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::convert {

// Bytes of vectors that are looked at in one step.
inline constexpr uint64_t kVectorBlockBytes = uint64_t{1} << 20;

class FinalfusionJob : public Job {
 public:
  Result<Step> next() final;
  [[nodiscard]] uint64_t total_bytes() const final { return layout_.total_bytes; }
  [[nodiscard]] const std::vector<Error>& warnings() const final { return warnings_; }

 protected:
  // The target is the source but for its vectors: `tensors` are those of the target, without
  // `norms`, which come along if the source has them.
  [[nodiscard]] Result<void> lay_out(SourceModel source, std::vector<model::TensorEntry> tensors);

  // Does what must be done before the first write; Done when it is.
  [[nodiscard]] virtual Result<Step> prepare() = 0;
  // The next read, or the next write, for this tensor; called until it is written. A write's offset
  // is put in.
  [[nodiscard]] virtual Result<Step> make(std::string_view tensor) = 0;

  static Step write(Bytes bytes) { return {Step::Kind::Write, 0, {}, bytes}; }
  // The source's norms as they are.
  [[nodiscard]] Result<Step> copy_norms();
  [[nodiscard]] bool has_norms() const { return has_norms_; }

 private:
  Step place(Step step);

  model::Model target_;
  model::FileLayout layout_;
  std::vector<Error> warnings_;
  RowStream norms_;
  bool has_norms_ = false;
  bool norms_asked_ = false;
  bool prepared_ = false;
  size_t piece_ = 0;
  uint64_t position_ = 0;  // in the target
  uint64_t written_ = 0;   // of the tensor
};

}  // namespace ambry::convert

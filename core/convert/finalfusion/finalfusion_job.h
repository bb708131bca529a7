// The base of jobs that write a finalfusion file's vectors in another form. It follows the target's
// layout and lets the derived class make each tensor in turn.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/finalfusion/row_stream.h"
#include "convert/plan/job.h"
#include "convert/plan/source_model.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::convert {

// Bytes of vectors that one step handles.
inline constexpr uint64_t kVectorBlockBytes = uint64_t{1} << 20;

class FinalfusionJob : public Job {
 public:
  Result<Step> next() final;
  [[nodiscard]] uint64_t total_bytes() const final { return layout_.total_bytes; }
  [[nodiscard]] const std::vector<Error>& warnings() const final { return warnings_; }

 protected:
  // The target is the source with other vectors. `tensors` are the target's tensors without
  // `norms`, which are kept if the source has them.
  [[nodiscard]] Result<void> lay_out(SourceModel source, std::vector<model::TensorEntry> tensors);

  // Does the work before the first write. Returns Done at the end.
  [[nodiscard]] virtual Result<Step> prepare() = 0;
  // The next read or write for this tensor; called until it is written. The caller sets a write's
  // offset.
  [[nodiscard]] virtual Result<Step> make(std::string_view tensor) = 0;

  static Step write(Bytes bytes) { return {Step::Kind::Write, 0, {}, bytes}; }
  // Copies the source's norms.
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

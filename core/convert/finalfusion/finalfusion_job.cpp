#include "convert/finalfusion/finalfusion_job.h"

#include <utility>

#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_write.h"

namespace ambry::convert {

Result<void> FinalfusionJob::lay_out(SourceModel source, std::vector<model::TensorEntry> tensors) {
  if (const auto* norms = find_tensor(source.model, formats::finalfusion::kNorms)) {
    norms_ = RowStream(*norms, kVectorBlockBytes);
    has_norms_ = true;
    tensors.push_back(*norms);
  }
  target_ = std::move(source.model);
  target_.tensors = std::move(tensors);
  warnings_ = std::move(source.warnings);
  AMBRY_TRY(layout_, formats::finalfusion::lay_out(target_));
  target_.words.reset();  // already in the layout
  return {};
}

Result<Step> FinalfusionJob::next() {
  if (!prepared_) {
    AMBRY_TRY(const Step step, prepare());
    if (step.kind != Step::Kind::Done) return step;
    prepared_ = true;
  }
  while (piece_ < layout_.pieces.size()) {
    const model::FilePiece& piece = layout_.pieces[piece_];
    if (piece.tensor == model::FilePiece::kLiteral) {
      ++piece_;
      return place(write(piece.bytes));
    }
    const model::TensorEntry& tensor = target_.tensors[piece.tensor];
    if (written_ < tensor.bytes) {
      AMBRY_TRY(const Step step, make(tensor.name));
      if (step.kind != Step::Kind::Write) return step;
      written_ += step.bytes.size();
      return place(step);
    }
    ++piece_;
    written_ = 0;
  }
  return Step{};
}

Step FinalfusionJob::place(Step step) {
  step.offset = position_;
  position_ += step.bytes.size();
  return step;
}

Result<Step> FinalfusionJob::copy_norms() {
  norms_asked_ = !norms_asked_;
  if (norms_asked_) return norms_.read();
  return write(norms_.bytes());
}

}  // namespace ambry::convert

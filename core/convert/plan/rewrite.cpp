#include "convert/plan/rewrite.h"

#include <utility>

namespace ambry::convert {

Result<model::FileLayout> make_same_layout(const formats::Format& format, model::Model& model) {
  if (format.lay_out == nullptr) {
    return make_error(ErrorCode::Unsupported, "options.to",
                      {format.facts.id, " files can be read but not written"});
  }
  // EMBD's layout F1 stores matrices transposed, and only F0 is written.
  if (format.facts.id == "embd" && model.linear_layout == model::LinearLayout::InOut) {
    return make_error(ErrorCode::Unsupported, "linear_layout",
                      "the matrices of layout F1 must be transposed; use a conversion");
  }
  uint64_t tensor_bytes = 0;
  for (const model::TensorEntry& tensor : model.tensors) tensor_bytes += tensor.bytes;
  AMBRY_TRY(model::FileLayout layout, format.lay_out(model));
  uint64_t written = 0;
  for (const model::FilePiece& piece : layout.pieces) written += piece.bytes.size();
  if (written + tensor_bytes != layout.total_bytes) {
    return make_error(ErrorCode::Unsupported, "tensors",
                      "the strict form stores tensors with another size; use a conversion");
  }
  return layout;
}

bool asks_for_no_change(const Options& options) {
  return !options.dtype && !options.dim && options.metadata.empty() && !options.linear_layout;
}

Result<Plan> rewrite(SourceModel source) {
  Plan plan;
  plan.rewrites = true;
  for (const model::TensorEntry& tensor : source.model.tensors) {
    Output copy;
    copy.inputs.push_back(source.input(tensor));
    plan.outputs.push_back(std::move(copy));
  }
  plan.target = std::move(source.model);
  plan.warnings = std::move(source.warnings);
  AMBRY_TRY(plan.layout, make_same_layout(*formats::find_format(plan.target.format), plan.target));
  return plan;
}

Result<Plan> plan_rewrite(const SourceFiles& sources, const Options& options) {
  if (!asks_for_no_change(options)) {
    return make_error(ErrorCode::Unsupported, "options",
                      {options.to, " files can only be rewritten without changes"});
  }
  AMBRY_TRY(SourceModel source, read_source(sources, options.to));
  if (options.metadata_toml) source.model.metadata_text = *options.metadata_toml;
  return rewrite(std::move(source));
}

}  // namespace ambry::convert

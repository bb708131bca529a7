#include "api/validation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/documents.h"
#include "base/order.h"
#include "formats/registry.h"
#include "tensor/convert.h"

namespace ambry::api {

Result<std::unique_ptr<Validation>> Validation::begin(const io::Source& source,
                                                      const ValidateOptions& options) {
  std::unique_ptr<Validation> validation(new Validation());
  auto examined = validation->examine(source, options);
  if (!examined) {
    if (examined.error().code == ErrorCode::NeedBytes) return examined.take_error();
    validation->diagnostics_.error(examined.take_error());
  }
  return validation;
}

Result<void> Validation::examine(const io::Source& source, const ValidateOptions& options) {
  diagnostics_.strictness = options.strictness;
  AMBRY_TRY(const formats::Format* format, formats::recognise(source));
  recognised_ = true;
  model_.format = format->id;
  AMBRY_TRY(model_, format->parse(source, diagnostics_, {}));
  format->check(model_, diagnostics_);
  return plan_stream(options);
}

Result<void> Validation::plan_stream(const ValidateOptions& options) {
  // A broken tensor table may overlap, so its numbers have no meaning to report.
  const bool values = options.values && diagnostics_.errors.empty();
  if (!values && model_.checksums.empty()) return {};
  std::vector<size_t> tensors;
  if (values) {
    tallies_.resize(model_.tensors.size());
    for (size_t i = 0; i < model_.tensors.size(); ++i) tensors.push_back(i);
  }
  return lay_out(model_, tensors, 0, model_.file_bytes);
}

Result<void> Validation::on_chunk(const Segment& segment, uint64_t offset, AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) return {};
  const model::TensorEntry& tensor = model_.tensors[segment.tensor];
  const uint32_t element_bytes = tensor::dtype_size(tensor.dtype);
  std::vector<float> values(chunk.size() / element_bytes);
  AMBRY_CHECK(tensor::to_f32(tensor.dtype, chunk.bytes(), values));

  ValueTally& tally = tallies_[segment.tensor];
  for (size_t i = 0; i < values.size(); ++i) {
    tally.any_nonzero |= values[i] != 0.0F;
    if (std::isfinite(values[i])) continue;
    if (tally.n_nan + tally.n_infinite == 0) {
      tally.first_bad_offset = segment.offset + offset + i * element_bytes;
    }
    ++(std::isnan(values[i]) ? tally.n_nan : tally.n_infinite);
  }
  if (offset + chunk.size() == segment.bytes) report_values(tensor, tally);
  return {};
}

void Validation::report_values(const model::TensorEntry& tensor, const ValueTally& tally) {
  if (tally.n_nan + tally.n_infinite > 0) {
    diagnostics_.error(error_at(
        ErrorCode::BadValue, tally.first_bad_offset, tensor.name,
        {tally.n_nan, " NaN and ", tally.n_infinite, " infinite values, the first of them here"}));
  } else if (!tally.any_nonzero && tensor.shape.rank() > 1) {
    diagnostics_.warn(
        error_at(ErrorCode::BadValue, tensor.offset, tensor.name, "every value is zero"));
  }
}

Result<void> Validation::on_mismatch(Failure mismatch) {
  diagnostics_.error(std::move(mismatch));
  return {};
}

std::string Validation::finish() {
  const auto by_offset = [](const Error& a, const Error& b) {
    return a.byte_offset < b.byte_offset;
  };
  sort_items(diagnostics_.errors, by_offset);
  sort_items(diagnostics_.warnings, by_offset);
  io::Json report = io::Json::object();
  report.set("format", recognised_ ? io::Json(model_.format) : io::Json());
  report.set("version", model_.version.empty() ? io::Json() : io::Json(model_.version));
  report.set("valid", diagnostics_.errors.empty());
  report.set("errors", problems(diagnostics_.errors));
  report.set("warnings", problems(diagnostics_.warnings));
  return report.dump();
}

}  // namespace ambry::api

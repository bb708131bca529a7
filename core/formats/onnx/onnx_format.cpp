#include "formats/onnx/onnx_format.h"

#include "formats/onnx/onnx_check.h"
#include "formats/onnx/onnx_parse.h"
#include "formats/onnx/onnx_report.h"

namespace ambry::formats::onnx {

[[gnu::weak]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& /*options*/) {
  AMBRY_TRY(const OnnxModel model, read_model(source));
  check_model(model, diagnostics);
  return report_of(model, source.size());
}

void check(const model::Model& /*model*/, io::Diagnostics& /*diagnostics*/) {}

}  // namespace ambry::formats::onnx

// Included in one file of a module, this leaves out what reads ONNX files. The linker then takes
// these functions instead of the weak ones of the core. The module `ambry-onnx` has them.
#pragma once

#include "convert/onnx/cnn/cnn_from_onnx.h"
#include "convert/onnx/decoders/read_onnx_decoder.h"
#include "convert/onnx/encoders/read_onnx_encoder.h"
#include "convert/onnx/undescribed/undescribed_graph.h"
#include "formats/onnx/graph_outline.h"
#include "formats/onnx/onnx_format.h"

namespace ambry {

// NOLINTBEGIN(misc-definitions-in-headers): a module has one file that includes this
Result<model::Model> formats::onnx::parse(const io::Source& /*source*/,
                                          io::Diagnostics& /*diagnostics*/,
                                          const model::ReadOptions& /*options*/) {
  return error_at(ErrorCode::Unsupported, 0, "file", "this module does not read ONNX models");
}
Result<void> formats::onnx::load_outline(const io::Source& /*source*/) { return {}; }
Result<convert::SourceModel> convert::onnx::read_onnx_encoder(
    const SourceFiles& /*sources*/, const formats::huggingface::Directory& /*directory*/) {
  return error_at(ErrorCode::Unsupported, 0, "file", "this module does not read ONNX models");
}
Result<convert::SourceModel> convert::onnx::read_onnx_decoder(const SourceFiles& /*sources*/,
                                                              bool /*keeps_codes*/) {
  return error_at(ErrorCode::Unsupported, 0, "file", "this module does not read ONNX models");
}
Result<void> convert::onnx::check_described(const SourceFiles& /*sources*/) { return {}; }
Result<convert::Plan> convert::plan_cnn_from_onnx(const SourceFiles& /*sources*/,
                                                  const Options& /*options*/) {
  return error_at(ErrorCode::Unsupported, 0, "file", "this module does not read ONNX models");
}
// NOLINTEND(misc-definitions-in-headers)

}  // namespace ambry

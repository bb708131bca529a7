#include "convert/onnx/decoders/read_onnx_decoder.h"

#include "convert/onnx/decoders/match_decoder.h"
#include "convert/onnx/graph/onnx_file.h"
#include "formats/onnx/onnx_parse.h"

namespace ambry::convert::onnx {

// Modules without ONNX have another definition (api/files/onnx/without_onnx.h).
[[gnu::weak]] Result<SourceModel> read_onnx_decoder(const SourceFiles& sources, bool keeps_codes) {
  AMBRY_TRY(const formats::onnx::OnnxModel model, formats::onnx::read_model(sources.main()));
  return match_onnx_decoder(OnnxFile(model, sources),
                            keeps_codes ? KeptCodes::Amb : KeptCodes::None);
}

}  // namespace ambry::convert::onnx

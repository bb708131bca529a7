// Reads the records of the weights section, in the normative layout or in another one that the
// published text allows (README.md#other-layouts).
#pragma once

#include "base/result.h"
#include "formats/amb/amb_layout.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::formats::amb {

// Fills model.tensors and adds a region for each record's header. Layout R3 takes values from
// `config.quant` in model.config. Requests one range for each record. If no layout fits, returns
// the error of the layout that came furthest.
[[nodiscard]] Result<void> read_weights_section(const io::Source& source, const Sections& sections,
                                                io::Diagnostics& diagnostics, model::Model& model);

// The values of `config.quant`; block_size is 0 when it is not stated.
[[nodiscard]] tensor::Quantization config_quantization(const io::Json& config);

}  // namespace ambry::formats::amb

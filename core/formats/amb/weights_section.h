// The records of the weights section, under the normative layout or one of the others that the
// published text allows (README.md#other-layouts).
#pragma once

#include "base/result.h"
#include "formats/amb/layout.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::amb {

// Fills model.tensors and adds a region for every record's header. model.config supplies what
// layout R3 leaves to `config.quant`. Asks for one range a record. The error is that of the layout
// that came furthest when none fits.
[[nodiscard]] Result<void> read_weights_section(const io::Source& source, const Sections& sections,
                                                io::Diagnostics& diagnostics, model::Model& model);

// `config.quant` as far as it says anything; block_size 0 where it does not.
[[nodiscard]] tensor::Quantization config_quantization(const io::Json& config);

}  // namespace ambry::formats::amb

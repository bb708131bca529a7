// Takes the weights of the half for texts out of a CLIP or SigLIP.
#pragma once

#include "base/result.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/directory.h"

namespace ambry::convert {

// Gives the layer after the pooling the name of a dense layer, and leaves the half for pictures
// out, with one warning. Does nothing for other models. NotFound for a layer that is missing,
// Mismatch for one of another size than config.json says.
[[nodiscard]] Result<void> take_text_tower(const formats::huggingface::Directory& directory,
                                           SourceModel& source);

}  // namespace ambry::convert

// Facts that differ between the layers of a decoder.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/decoder/architectures/architecture.h"
#include "model/decoder/decoder_config.h"

namespace ambry::model {

// What the layers are (layer_kind.h), by the list `layer_types`. Empty where all attend: the
// architecture has no other kind. NotFound where it has and there is no list, unless all layers of
// the architecture are of one kind.
[[nodiscard]] Result<std::vector<LayerKind>> layer_kinds(const io::Json& config,
                                                         const ArchitectureDefaults& defaults,
                                                         uint32_t n_layers);

// Which layers see only the last positions: by the list `layer_types` (`sliding_attention` or
// `full_attention` for each layer), or by `sliding_window_pattern` n, where every n-th layer sees
// all. Empty where the config states neither and the architecture has no pattern: all layers are
// alike. Layers of other kinds see all.
[[nodiscard]] Result<std::vector<bool>> local_layers(const io::Json& config,
                                                     const ArchitectureDefaults& defaults,
                                                     uint32_t n_layers);

// Which layers rotate their queries and keys: by the list `no_rope_layers` (1 for each layer that
// rotates, 0 for each other, as Hugging Face has it), or by `no_rope_layer_interval` n, where every
// n-th layer does not. Empty: all.
[[nodiscard]] Result<std::vector<bool>> rotated_layers(const io::Json& config,
                                                       const ArchitectureDefaults& defaults,
                                                       uint32_t n_layers);

// The parameters of xIELU: `xielu` has the lists `alpha_p`, `alpha_n`, `beta` and `eps`, as a model
// learns them, with a number for each layer.
[[nodiscard]] Result<std::vector<XieluParameters>> xielu_layers(const io::Json& config,
                                                                uint32_t n_layers);

}  // namespace ambry::model

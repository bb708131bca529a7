// Conversion as JavaScript asks for it: options as JSON, warnings as JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "convert/conversion.h"
#include "convert/source_files.h"
#include "model/decoder/decoder_activations.h"

namespace ambry::api {

using Activations = std::shared_ptr<const model::DecoderActivations>;
using convert::Conversion;
using convert::SideFiles;
using convert::SourceFiles;
using ConversionStep = convert::Step;

// `options` is JSON: {to, from, arch, dtype, lossy, unnormalize, metadata, reconstruct, explicit,
// select: {words, ignoreUnknown}, quantize}, all optional; errors of an adaptive quantisation are
// weighed by `activations` unless they are null. NeedBytes
// while the held parts of a file do not suffice; BadValue with the path `options.…` for an option
// that is not known.
[[nodiscard]] Result<Conversion> begin_conversion(const SourceFiles& sources,
                                                  std::string_view options,
                                                  const Activations& activations = nullptr);

// What these files can become: {from, targets: [{to, problem: null or a problem}, …]}, under the
// same options; `to` has no meaning.
[[nodiscard]] Result<std::string> conversion_targets(const SourceFiles& sources,
                                                     std::string_view options);

// JSON array of problems.
[[nodiscard]] std::string conversion_warnings(const Conversion& conversion);

}  // namespace ambry::api

// Conversions for JavaScript: options and warnings as JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/stream_conversion.h"
#include "model/decoder/decoder_activations.h"

namespace ambry::api {

using Activations = std::shared_ptr<const model::DecoderActivations>;
using convert::Conversion;
using convert::SideFiles;
using convert::SourceFiles;
using ConversionStep = convert::Step;

// Loads what the functions below would ask for piece by piece, where they asked for bytes before.
// NeedBytes while bytes are missing; nothing else is an error here.
[[nodiscard]] Result<void> load_outline(const SourceFiles& sources);

// `options` is JSON: {to, from, arch, lowercase, task, adapters, dtype, dim, lossy, toRun,
// unnormalize, metadata, reconstruct, explicit, select: {words, ignoreUnknown}, quantize}, all
// optional. `activations`, if not null, weigh the errors of a quantization as adaptive or a
// K-quant. NeedBytes while bytes of a file are missing. BadValue with the path `options.…` for an
// unknown option.
[[nodiscard]] Result<Conversion> begin_conversion(const SourceFiles& sources,
                                                  std::string_view options,
                                                  const Activations& activations = nullptr);

// The activations in a file of llama.cpp's llama-imatrix; errors as of convert::read_imatrix().
[[nodiscard]] Result<Activations> read_importance(Bytes file);

// The formats that these files can be converted to: {from, targets: [{to, problem: null or a
// problem}, …]}, under the same options, except `to`.
[[nodiscard]] Result<std::string> conversion_targets(const SourceFiles& sources,
                                                     std::string_view options);

// What the target of this conversion will run as: {kind, memory, obstacle, warnings} of a
// RunReport, whose warnings are those of the conversion. The kind is there if it does not follow
// from the format. Reads what the beginning of the conversion reads.
[[nodiscard]] Result<std::string> conversion_run(const SourceFiles& sources,
                                                 std::string_view options);

// Which conversion makes a file that runs of these files: {kind, to}. `kind` is the one that the
// caller asks for, or empty. Errors as of opening::conversion_to_run().
[[nodiscard]] Result<std::string> conversion_to_run(const SourceFiles& sources,
                                                    std::string_view kind);

// JSON array of problems.
[[nodiscard]] std::string conversion_warnings(const Conversion& conversion);

}  // namespace ambry::api

// Included in one file of a module, this leaves out what reads and writes other files than ONNX and
// what ONNX is converted to. The linker then takes these functions instead of the weak ones of the
// core.
#pragma once

#include <span>

#include "convert/conversion_table.h"
#include "formats/registry.h"

namespace ambry {

// NOLINTBEGIN(misc-definitions-in-headers): a module has one file that includes this
std::span<const formats::Format> formats::formats() { return onnx_formats(); }
std::span<const convert::ConversionRow> convert::conversions() { return onnx_conversions(); }
// NOLINTEND(misc-definitions-in-headers)

}  // namespace ambry

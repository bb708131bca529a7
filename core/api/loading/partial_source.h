// The file that JavaScript fills with the bytes that parsers ask for.
#pragma once

#include "io/source.h"

namespace ambry::api {

using io::PartialSource;

}  // namespace ambry::api

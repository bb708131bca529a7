// The file that JavaScript fills as parsers ask for it.
#pragma once

#include "io/source.h"

namespace ambry::api {

using io::PartialSource;

}  // namespace ambry::api

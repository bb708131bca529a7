// What the bindings include of libraries, besides core/precompiled.h, for builds that read it once.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

// Makes room for a model before its tensors arrive.
#pragma once

#include <cstdint>

namespace ambry::api {

// Grows the heap by about this much, if it can. Nothing depends on it but time: a WebAssembly heap
// that grows a little for each tensor takes 35 of the 90 ms in which 90 MB are loaded.
void reserve_heap(uint64_t bytes);

}  // namespace ambry::api

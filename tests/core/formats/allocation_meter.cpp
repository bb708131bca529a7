#include "formats/allocation_meter.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

// Tests run in one thread.
size_t g_held = 0;
size_t g_start = 0;
size_t g_peak = 0;
size_t g_largest = 0;

void* counted_allocate(size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  g_held += malloc_usable_size(memory);
  g_peak = std::max(g_peak, g_held);
  g_largest = std::max(g_largest, size);
  return memory;
}

void counted_free(void* memory) {
  if (memory == nullptr) return;
  g_held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(size_t size) { return counted_allocate(size); }
void* operator new[](size_t size) { return counted_allocate(size); }
void operator delete(void* memory) noexcept { counted_free(memory); }
void operator delete[](void* memory) noexcept { counted_free(memory); }
void operator delete(void* memory, size_t /*size*/) noexcept { counted_free(memory); }
void operator delete[](void* memory, size_t /*size*/) noexcept { counted_free(memory); }

namespace ambry::testing {

AllocationMeter::AllocationMeter() {
  g_start = g_held;
  g_peak = g_held;
  g_largest = 0;
}

size_t AllocationMeter::peak() const { return g_peak - g_start; }
size_t AllocationMeter::largest() const { return g_largest; }

}  // namespace ambry::testing

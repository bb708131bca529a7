// Several instances of a module over one memory: each has a stack of its own, and all use one heap.
// So whatever an instance holds, the others can use by the same handle.
//
// Emscripten's allocator has no lock, except in programs with Emscripten's own threads, so the
// functions of the standard library are defined here, with a lock.
#include <emscripten/bind.h>
#include <emscripten/emmalloc.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/concat.h"
#include "base/threads/spin_lock.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

// As much as the first instance has (STACK_SIZE).
constexpr uint64_t kStackBytes = uint64_t{1024} * 1024;

struct InstanceStack {
  AlignedBuffer memory;
};

Result<std::string> make_stack() {
  AMBRY_TRY(AlignedBuffer memory, AlignedBuffer::allocate(kStackBytes));
  const auto top = reinterpret_cast<uintptr_t>(memory.bytes().data()) + kStackBytes;
  const std::string stack = to_json(InstanceStack{std::move(memory)});
  return concat({R"({"stack":)", stack, R"(,"top":)", uint64_t{top}, "}"});
}

constinit SpinLock heap_lock;
using HeapGuard = std::lock_guard<SpinLock>;

// When another instance has grown the memory, an engine may not have told this one yet. Emscripten
// then believes that the memory cannot grow, so the allocation is tried again with the new size.
template <class Allocate>
void* allocate(const Allocate& try_to) {
  const HeapGuard guard(heap_lock);
  for (;;) {
    const size_t pages = __builtin_wasm_memory_size(0);
    void* const memory = try_to();
    if (memory != nullptr || __builtin_wasm_memory_grow(0, 0) == pages) return memory;
  }
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_instances) {
  emscripten::function("makeStack", +[] { return outcome(make_stack()); });
}

extern "C" {

void* malloc(size_t size) {
  return allocate([&] { return emmalloc_malloc(size); });
}

void free(void* ptr) {
  const HeapGuard guard(heap_lock);
  emmalloc_free(ptr);
}

void* calloc(size_t num, size_t size) {
  return allocate([&] { return emmalloc_calloc(num, size); });
}

void* realloc(void* ptr, size_t size) {
  return allocate([&] { return emmalloc_realloc(ptr, size); });
}

void* aligned_alloc(size_t alignment, size_t size) {
  return allocate([&] { return emmalloc_memalign(alignment, size); });
}

void* memalign(size_t alignment, size_t size) {
  return allocate([&] { return emmalloc_memalign(alignment, size); });
}

int posix_memalign(void** memptr, size_t alignment, size_t size) {
  *memptr = memalign(alignment, size);
  return *memptr != nullptr || size == 0 ? 0 : ENOMEM;
}

}  // extern "C"

}  // namespace ambry::wasm

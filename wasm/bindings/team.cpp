// Instances over one memory that compute together: one leads, and the others serve it until the
// team is stopped.
#include <emscripten/bind.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "api/decoder/generator_model.h"
#include "base/threads/thread_team.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {
namespace {

constexpr int64_t kForever = -1;
constexpr int64_t kNanosecondsOfYield = 20'000;

int* address_of(std::atomic<uint32_t>& word) { return reinterpret_cast<int*>(&word); }

constexpr ThreadWaiting kInstanceWaiting = {
    [](std::atomic<uint32_t>& word, uint32_t value) {
      __builtin_wasm_memory_atomic_wait32(address_of(word), static_cast<int>(value), kForever);
    },
    [](std::atomic<uint32_t>& word) {
      __builtin_wasm_memory_atomic_notify(address_of(word), UINT32_MAX);
    },
    [] {
      // Nobody wakes a word that only this function knows.
      std::atomic<uint32_t> word = 0;
      __builtin_wasm_memory_atomic_wait32(address_of(word), 0, kNanosecondsOfYield);
    }};

JsText make_team(double size) {
  const auto count = count_of(size, "size");
  if (!count) return js_text(api::failure_text(count.error()));
  return outcome(std::make_unique<ThreadTeam>(static_cast<size_t>(*count), kInstanceWaiting));
}

JsText lead_team(Handle team, Handle model) {
  return with<ThreadTeam>(team, [&](ThreadTeam& threads) -> Result<void> {
    auto* const leading = find<api::GeneratorModel>(model);
    if (leading == nullptr) return not_held();
    leading->set_team(&threads);
    return {};
  });
}

JsText serve_team(Handle team) {
  return with<ThreadTeam>(team, [](ThreadTeam& threads) -> Result<void> {
    threads.serve();
    return {};
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_team) {
  emscripten::function("makeTeam", &make_team);
  emscripten::function("leadTeam", &lead_team);
  emscripten::function("serveTeam", &serve_team);
}

}  // namespace ambry::wasm

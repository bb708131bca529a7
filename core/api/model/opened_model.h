// A model in memory, of any kind. A kind is a class that has its name (kKind) and begins to load
// its models (load), and a row in wasm/bindings.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

class OpenedModel {
 public:
  virtual ~OpenedModel() = default;

  // The kKind of the class.
  [[nodiscard]] std::string_view kind() const { return kind_; }
  // JSON of file_info(), with what the kind adds.
  [[nodiscard]] virtual std::string info() const = 0;
  // The number of bytes of weights in memory.
  [[nodiscard]] virtual uint64_t weight_bytes() const = 0;
  // Unsupported for a model without a tokenizer.
  [[nodiscard]] virtual Result<const text::Tokenizer*> tokenizer() const;

 protected:
  explicit OpenedModel(std::string_view kind) : kind_(kind) {}
  OpenedModel(const OpenedModel&) = default;
  OpenedModel(OpenedModel&&) noexcept = default;
  OpenedModel& operator=(const OpenedModel&) = default;
  OpenedModel& operator=(OpenedModel&&) noexcept = default;

 private:
  std::string_view kind_;
};

// A model or a loader as that of its kind; nullptr when it is of another kind.
template <class Derived, class Base>
  requires std::derived_from<Derived, Base>
[[nodiscard]] Derived* as(Base& base) {
  return base.kind() == Derived::kKind ? static_cast<Derived*>(&base) : nullptr;
}

}  // namespace ambry::api

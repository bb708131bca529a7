// The kinds of models that a module opens. The bindings of a kind have a row:
// `const ModelKind kEncoders = ModelKind::of<api::EncoderModel>();`
#pragma once

#include <string_view>
#include <utility>

#include "api/model/loader.h"

namespace ambry::wasm {

class ModelKind {
 public:
  ModelKind(std::string_view name, api::LoadModel load)
      : name_(name), load_(load), next_(std::exchange(first_, this)) {}
  ModelKind(const ModelKind&) = delete;
  ModelKind& operator=(const ModelKind&) = delete;

  template <class Model>
  [[nodiscard]] static ModelKind of() {
    return {Model::kKind, Model::load};
  }
  // nullptr when the module does not open this kind.
  [[nodiscard]] static const ModelKind* find(std::string_view name) {
    const ModelKind* kind = first_;
    while (kind != nullptr && kind->name_ != name) kind = kind->next_;
    return kind;
  }

  [[nodiscard]] api::LoadModel load() const { return load_; }

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): rows of several files
  static inline constinit const ModelKind* first_ = nullptr;

  std::string_view name_;
  api::LoadModel load_;
  const ModelKind* next_;
};

}  // namespace ambry::wasm

// What JavaScript begins by name: to load models of a kind, and jobs over texts of a kind. The
// bindings of a kind have a row, and a module has the rows of the bindings that it links:
// `const Kind kEncoders = kind_of<api::EncoderModel>();`
// `const Kind kEmbed("embed", begin_embed);`
#pragma once

#include <string>
#include <string_view>

#include "api/model/loader.h"
#include "border/handles.h"
#include "border/js_values.h"

namespace ambry::wasm {

class Kind {
 public:
  // `from` is the source of a model, or the model of a job; `options` is JSON.
  using Begin = JsText (*)(Handle from, const std::string& options);

  Kind(std::string_view name, Begin begin);
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;

  // Unsupported when the module has no kind of this name.
  [[nodiscard]] static JsText begin(const std::string& name, Handle from,
                                    const std::string& options);

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): rows of several files
  static constinit const Kind* first_;

  std::string_view name_;
  Begin begin_;
  const Kind* next_;
};

[[nodiscard]] JsText begin_load(Handle source, const std::string& options, api::LoadModel load);

template <class Model>
[[nodiscard]] Kind kind_of() {
  return {Model::kKind, [](Handle source, const std::string& options) {
            return begin_load(source, options, Model::load);
          }};
}

}  // namespace ambry::wasm

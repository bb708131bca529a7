// Loads a model. The load() of a kind makes a loader from the head of a file. Pass the bytes that
// it wants, as in ByteSink, then call finish().
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "api/loading/byte_sink.h"
#include "api/model/opened_model.h"
#include "base/result.h"
#include "io/source.h"

namespace ambry::api {

class Loader : public ByteSink {
 public:
  // The kind of the model.
  [[nodiscard]] std::string_view kind() const { return kind_; }
  // Call once, when wanted() is 0.
  [[nodiscard]] virtual Result<std::unique_ptr<OpenedModel>> finish() = 0;

 protected:
  explicit Loader(std::string_view kind) : ByteSink(TensorMemory::Whole), kind_(kind) {}

  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

 private:
  std::string_view kind_;
};

// Has a model that is complete as soon as the head of its file is read.
class FinishedLoader final : public Loader {
 public:
  explicit FinishedLoader(std::unique_ptr<OpenedModel> model)
      : Loader(model->kind()), model_(std::move(model)) {}

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override { return std::move(model_); }

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& /*segment*/, uint64_t /*offset*/,
                                      AlignedBuffer& /*chunk*/) override {
    return {};
  }

  std::unique_ptr<OpenedModel> model_;
};

// The load() of a kind. `options` is JSON. NeedBytes while bytes of the head are missing; without
// an offset when the file's size must be known first.
using LoadModel = Result<std::unique_ptr<Loader>> (*)(const io::Source& source,
                                                      std::string_view options);

}  // namespace ambry::api

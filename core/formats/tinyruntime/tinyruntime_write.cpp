#include "formats/tinyruntime/tinyruntime_write.h"

#include <string>
#include <utility>
#include <vector>

#include "formats/tinyruntime/tinyruntime_layout.h"
#include "formats/tinyruntime/tinyruntime_tables.h"
#include "io/byte_writer.h"
#include "model/cnn/cnn_table.h"
#include "model/file/tensor_index.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::tinyruntime {
namespace {

class Writer {
 public:
  Writer(model::Model& model, const model::CnnTable& table)
      : model_(model), table_(table), variant_(table.variant), index_(model.tensors) {}

  Result<model::FileLayout> write() {
    put_header();
    for (const CnnKind kind : model::kCnnKinds) {
      if (table_.of(kind).size() > kMostEntries) {
        return make_error(ErrorCode::LimitExceeded, "config.layers", "too many layers");
      }
      for (size_t i = 0; i < table_.of(kind).size(); ++i) AMBRY_RETURN_IF_ERROR(add_layer(kind, i));
    }
    for (const model::CnnActivation& activation : table_.activations) {
      writer_.put(activation.scale);
      writer_.put(activation.zero_point);
    }
    AMBRY_RETURN_IF_ERROR(check_all_used());
    if (is_quantized(variant_)) {
      writer_.put_at(kQuantizedBytes * kWordBytes, static_cast<int32_t>(position_.quantized_bytes));
    }
    return assemble();
  }

 private:
  void put_header() {
    Header header{};
    header[kClasses] = table_.n_classes;
    for (const CnnKind kind : model::kCnnKinds) {
      header[count_field(kind)] = static_cast<int32_t>(table_.of(kind).size());
    }
    header[kActivations] = static_cast<int32_t>(table_.activations.size());
    header[kAsymmetric] = table_.asymmetric ? 1 : 0;
    for (size_t i = 0; i < header_words(variant_); ++i) writer_.put(header[i]);
  }

  Result<void> add_layer(CnnKind kind, size_t index) {
    const model::CnnLayer& layer = table_.of(kind)[index];
    const auto fields = model::cnn_fields(variant_, kind);
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i == model::n_dims(kind)) put_offsets(kind);
      if (fields[i].real != nullptr) {
        writer_.put(layer.*fields[i].real);
      } else {
        writer_.put(layer.*fields[i].integer);
      }
    }
    if (kind == CnnKind::BatchNorm) put_offsets(kind);
    const auto tensors = model::cnn_tensors(table_, kind, index);
    for (const model::CnnTensor& tensor : tensors) AMBRY_RETURN_IF_ERROR(use(tensor));
    const auto end = after(position_, tensors);
    if (!end || end->words > INT32_MAX || end->quantized_bytes > INT32_MAX) {
      return make_error(ErrorCode::LimitExceeded, tensors[0].name,
                        "the parameters up to here pass the 31 bits of an offset");
    }
    position_ = *end;
    return {};
  }

  void put_offsets(CnnKind kind) {
    for (size_t i = 0; i < n_offsets(variant_, kind); ++i) {
      writer_.put(static_cast<int32_t>(canonical_offset(position_, variant_, kind, i)));
    }
  }

  Result<void> use(const model::CnnTensor& wanted) {
    const model::TensorEntry* found = index_.find(wanted.name);
    if (found == nullptr) return make_error(ErrorCode::NotFound, wanted.name, "a missing tensor");
    if (found->dtype != wanted.dtype || found->shape != wanted.shape) {
      return make_error(ErrorCode::Mismatch, wanted.name,
                        {dtype_name(found->dtype), " ", to_string(found->shape), ", expected ",
                         dtype_name(wanted.dtype), " ", to_string(wanted.shape)});
    }
    (wanted.quantized ? quantized_ : words_)
        .push_back(static_cast<size_t>(found - model_.tensors.data()));
    return {};
  }

  Result<void> check_all_used() {
    std::vector<bool> used(model_.tensors.size());
    for (const size_t i : quantized_) used[i] = true;
    for (const size_t i : words_) used[i] = true;
    for (size_t i = 0; i < used.size(); ++i) {
      if (used[i]) continue;
      return make_error(ErrorCode::Unsupported, model_.tensors[i].name,
                        "no layer of config has this tensor");
    }
    return {};
  }

  model::FileLayout assemble() {
    model::FileLayout layout;
    layout.add_bytes(writer_.take());
    for (const std::vector<size_t>* section : {&quantized_, &words_}) {
      for (const size_t i : *section) {
        model::TensorEntry& tensor = model_.tensors[i];
        tensor.offset = layout.total_bytes;
        tensor.bytes = model::byte_size(tensor.shape, tensor.dtype).value_or(0);
        layout.add_tensor(i, tensor.bytes);
      }
    }
    model_.file_bytes = layout.total_bytes;
    return layout;
  }

  model::Model& model_;
  const model::CnnTable& table_;
  CnnVariant variant_;
  model::TensorIndex index_;
  io::ByteWriter writer_;
  Position position_;              // the parameters so far
  std::vector<size_t> quantized_;  // tensors of each section, in order
  std::vector<size_t> words_;
};

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  if (model.tokenizer) {
    return make_error(ErrorCode::Unsupported, "tokenizer", "tinyRuntime's files hold none");
  }
  AMBRY_TRY(const model::CnnTable table, model::cnn_table(model.config));
  return Writer(model, table).write();
}

}  // namespace ambry::formats::tinyruntime

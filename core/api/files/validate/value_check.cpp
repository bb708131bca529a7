#include "api/files/validate/value_check.h"

#include <utility>

#include "model/vocabulary/repeated_tokens.h"

namespace ambry::api {
namespace {

using tensor::DType;

// Whether a row of zeros is suspicious. In codes, which select one of several values, it is not.
bool are_weights(const model::TensorEntry& tensor) {
  const bool whole = tensor::is_plain(tensor.dtype) && !tensor::is_float(tensor.dtype);
  return tensor.value_limit == 0 && (!whole || tensor.dtype == DType::I8);
}

}  // namespace

ValueCheck::ValueCheck(const model::Model& model, io::Diagnostics& diagnostics)
    : model_(model), diagnostics_(diagnostics), documents_(model.tensors.size()) {
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (model.tensors[i].bytes > 0) continue;
    documents_[i] = TensorStatistics(model.tensors[i]).document().dump();
  }
  if (!model.tokenizer) return;
  for (const auto& [first, repeated] :
       model::find_repeated_tokens(model.tokenizer->vocabulary).examples) {
    diagnostics.warn(make_error(ErrorCode::BadValue, {"vocabulary[", repeated, "]"},
                                {"this token repeats token ", first}));
  }
}

void ValueCheck::pass(size_t tensor, uint64_t offset, Bytes bytes) {
  const model::TensorEntry& entry = model_.tensors[tensor];
  const bool last = offset + bytes.size() == entry.bytes;
  if (offset == 0) begin(entry);
  if (!sums_) return;
  if (stream_) {
    auto passed = stream_->pass(bytes, [&](std::span<const float> values) { sums_->add(values); });
    if (!passed) {
      diagnostics_.error(passed.take_error());
      sums_.reset();
      return;
    }
  } else if (TensorStatistics::is_byte_type(entry.dtype)) {
    sums_->add(bytes);
  } else {  // aligned floats
    sums_->add({reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)});
  }
  if (!last) return;
  end(entry);
  documents_[tensor] = sums_->document().dump();
  sums_.reset();
}

void ValueCheck::begin(const model::TensorEntry& tensor) {
  sums_.reset();
  stream_.reset();
  if (tensor.has_gaps) {
    diagnostics_.warn(error_at(ErrorCode::Unsupported, tensor.offset, tensor.name,
                               "a slice of stored values, which were not checked"));
    return;
  }
  sums_.emplace(tensor);
  if (tensor.dtype == DType::F32 || TensorStatistics::is_byte_type(tensor.dtype)) return;
  auto values = ValueStream::create(tensor);
  if (!values) {
    diagnostics_.warn(values.take_error());
    sums_.reset();
    return;
  }
  stream_.emplace(std::move(values).value());
}

uint64_t ValueCheck::offset_of(const model::TensorEntry& tensor, uint64_t element) {
  if (!tensor::is_plain(tensor.dtype)) return tensor.offset;
  return tensor.offset + element * tensor::dtype_size(tensor.dtype);
}

void ValueCheck::end(const model::TensorEntry& tensor) {
  report_not_finite(tensor);
  if (const uint64_t refused = sums_->first_invalid(); refused != TensorStatistics::kNone) {
    report(tensor, refused,
           {"value ", refused,
            tensor.value_limit > 0 ? " is a code that is out of range"
                                   : " is too small for this tensor"});
  }
  report_rows(tensor);
}

void ValueCheck::report(const model::TensorEntry& tensor, uint64_t element, const Text& message) {
  Failure problem = error_at(ErrorCode::BadValue, offset_of(tensor, element), tensor.name, message);
  if (tensor.finite_above) {
    diagnostics_.tolerate(std::move(problem));
  } else {
    diagnostics_.error(std::move(problem));
  }
}

void ValueCheck::report_not_finite(const model::TensorEntry& tensor) {
  if (sums_->nan() + sums_->infinite() == 0) return;
  report(tensor, sums_->first_not_finite(),
         {sums_->nan(), " NaN and ", sums_->infinite(), " infinite values; the first is here"});
}

void ValueCheck::report_rows(const model::TensorEntry& tensor) {
  if (sums_->n_rows() == 0) return;
  const uint64_t elements_a_row = sums_->count() / sums_->n_rows();
  const auto warn = [&](uint64_t row, const Text& message) {
    diagnostics_.warn(error_at(ErrorCode::BadValue, offset_of(tensor, row * elements_a_row),
                               tensor.name, message));
  };
  if (const uint64_t zero = sums_->zero_rows(); zero > 0 && are_weights(tensor)) {
    const uint64_t first = sums_->first_zero_row();
    if (zero == sums_->n_rows()) {
      warn(0, "every value is zero");
    } else {
      warn(first,
           {zero, " of ", sums_->n_rows(), " rows hold only zeros; the first is row ", first});
    }
  }
  if (const uint64_t others = sums_->n_not_unit_rows(); others > 0) {
    const uint64_t first = sums_->first_not_unit_row();
    warn(first, {others, " of ", tensor.n_unit_rows,
                 " rows that should have length 1 do not; the first is row ", first});
  }
}

std::string ValueCheck::statistics() const {
  std::string text = "[";
  for (const std::string& document : documents_) {
    if (document.empty()) continue;
    if (text.size() > 1) text += ',';
    text += document;
  }
  return text + ']';
}

}  // namespace ambry::api

#include "formats/tinyruntime/read_tables.h"

#include <algorithm>
#include <utility>

namespace ambry::formats::tinyruntime {
namespace {

class TableReader {
 public:
  TableReader(CnnVariant variant, const io::Source& source, io::Diagnostics& diagnostics)
      : variant_(variant), source_(source), diagnostics_(diagnostics) {
    out_.table.variant = variant;
  }

  Result<FileTables> read() {
    AMBRY_TRY(const Bytes head, source_.view(0, header_bytes(variant_), "header"));
    out_.header = read_header(variant_, head);
    AMBRY_RETURN_IF_ERROR(check_counts());
    out_.places = place_tables(variant_, out_.header);
    out_.float_at = out_.places.end;
    if (is_quantized(variant_)) AMBRY_RETURN_IF_ERROR(check_quantized_header());
    check_classes();
    AMBRY_TRY(out_.bytes, source_.view(0, out_.places.end, "tables"));
    for (const CnnKind kind : model::kCnnKinds) read_layers(kind);
    if (variant_ == CnnVariant::Sq8) read_activations();
    return std::move(out_);
  }

 private:
  [[nodiscard]] uint64_t bytes_of_entry(HeaderField field) const {
    if (field == kActivations) return kActivationBytes;
    return entry_bytes(variant_, static_cast<CnnKind>(field - kConvs));
  }

  // The tables must lie in the file (README.md#rule-1), so nothing larger is reserved.
  Result<void> check_counts() {
    uint64_t left = source_.size() - header_bytes(variant_);
    for (const HeaderField field : {kConvs, kLinears, kBatchNorms, kActivations}) {
      const int32_t count = out_.header[field];
      if (count < 0) {
        return header_error(ErrorCode::BadValue, field,
                            {"the count is ", std::to_string(count), ", expected at least 0"});
      }
      const uint64_t bytes = static_cast<uint64_t>(count) * bytes_of_entry(field);
      if (bytes > left) {
        return header_error(ErrorCode::Truncated, field,
                            {static_cast<uint32_t>(count), " entries take ", bytes,
                             " bytes, but only ", left, " are left in the file"});
      }
      if (count > kMostEntries) {
        return header_error(ErrorCode::LimitExceeded, field,
                            {static_cast<uint32_t>(count), " entries, but at most ",
                             static_cast<uint32_t>(kMostEntries), " are supported"});
      }
      left -= bytes;
    }
    return {};
  }

  // The quantized section must lie in the file, and the flag must be valid (README.md#rule-2).
  Result<void> check_quantized_header() {
    const int32_t quantized = out_.header[kQuantizedBytes];
    if (quantized < 0) {
      return header_error(ErrorCode::BadValue, kQuantizedBytes,
                          {"the size is ", std::to_string(quantized), ", expected at least 0"});
    }
    const uint64_t left = source_.size() - out_.places.end;
    if (static_cast<uint64_t>(quantized) > left) {
      return header_error(ErrorCode::Truncated, kQuantizedBytes,
                          {"the section has ", static_cast<uint32_t>(quantized),
                           " bytes, but only ", left, " are left in the file"});
    }
    out_.float_at += static_cast<uint64_t>(quantized);
    const int32_t flag = out_.header[kAsymmetric];
    const bool static_ranges = variant_ == CnnVariant::Sq8;
    if (flag > 1 || flag < (static_ranges ? 1 : 0)) {
      diagnostics_.error(header_error(
          ErrorCode::BadValue, kAsymmetric,
          {"the flag is ", std::to_string(flag), ", expected ", static_ranges ? "1" : "0 or 1"}));
      out_.sized = static_ranges;
    }
    out_.table.asymmetric = flag != 0;
    if (!static_ranges && out_.header[kActivations] != 0) {
      diagnostics_.tolerate(
          header_error(ErrorCode::BadValue, kActivations,
                       "expected 0, because DQ8 quantizes activations while the network runs"));
    }
    return {};
  }

  void check_classes() {
    const int32_t n_classes = out_.header[kClasses];
    out_.table.n_classes = n_classes;
    if (n_classes >= 1) return;
    diagnostics_.error(
        header_error(ErrorCode::BadValue, kClasses,
                     {"the count is ", std::to_string(n_classes), ", expected at least 1"}));
  }

  void read_layers(CnnKind kind) {
    const uint64_t max_weights = counts_quantized(variant_, kind, 0)
                                     ? out_.float_at - out_.places.end
                                     : (source_.size() - out_.float_at) / kWordBytes;
    const auto count = static_cast<size_t>(out_.header[count_field(kind)]);
    out_.table.of(kind).reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const Entry entry = out_.entry(kind, i);
      out_.table.of(kind).push_back(entry.layer);
      const auto faults = model::check_layer(variant_, kind, entry.layer, max_weights);
      if (faults.empty()) continue;
      out_.sized = false;
      out_.faulty.push_back(out_.place_of(kind, i));
      for (const model::CnnFault& fault : faults) report(kind, i, fault);
    }
  }

  void report(CnnKind kind, size_t index, const model::CnnFault& fault) {
    diagnostics_.error(error_at(
        fault.code, out_.place_of(kind, index) + field_at(variant_, kind, fault.field),
        path_of(kind, index, model::cnn_fields(variant_, kind)[fault.field].name), fault.message));
  }

  void read_activations() {
    const auto count = static_cast<size_t>(out_.header[kActivations]);
    out_.table.activations.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t at = out_.places.activations + i * kActivationBytes;
      const auto activation = read_activation(out_.bytes.subspan(static_cast<size_t>(at)));
      out_.table.activations.push_back(activation);
      const auto reason = model::check_activation(activation);
      if (!reason) continue;
      diagnostics_.error(
          error_at(ErrorCode::BadValue, at, {"activation[", uint64_t{i}, "]"}, *reason));
    }
  }

  CnnVariant variant_;
  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  FileTables out_;
};

}  // namespace

uint64_t FileTables::place_of(CnnKind kind, size_t index) const {
  return places.layers[static_cast<size_t>(kind)] + index * entry_bytes(table.variant, kind);
}

Entry FileTables::entry(CnnKind kind, size_t index) const {
  return read_entry(table.variant, kind, bytes.subspan(static_cast<size_t>(place_of(kind, index))));
}

bool FileTables::is_sound(CnnKind kind, size_t index) const {
  return !std::ranges::binary_search(faulty, place_of(kind, index));
}

Result<FileTables> read_tables(CnnVariant variant, const io::Source& source,
                               io::Diagnostics& diagnostics) {
  return TableReader(variant, source, diagnostics).read();
}

std::string path_of(CnnKind kind, size_t index, std::string_view field) {
  return concat({model::cnn_kind_name(kind), "[", uint64_t{index}, "].", field});
}

Failure header_error(ErrorCode code, HeaderField field, const Text& message) {
  return error_at(code, field * kWordBytes, kHeaderFields[field], message);
}

}  // namespace ambry::formats::tinyruntime

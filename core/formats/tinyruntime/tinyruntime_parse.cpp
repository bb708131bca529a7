#include "formats/tinyruntime/tinyruntime_parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cut_off.h"
#include "formats/tinyruntime/find_variant.h"
#include "formats/tinyruntime/read_tables.h"

namespace ambry::formats::tinyruntime {
namespace {

constexpr auto kVersions = std::to_array<const char*>({"vanilla", "DQ8", "SQ8"});

// Finds the parameters of a file whose tables are read. Messages use the rule numbers of
// README.md#rules.
class Placement {
 public:
  Placement(const FileTables& tables, uint64_t file_bytes, io::Diagnostics& diagnostics)
      : tables_(tables),
        table_(tables.table),
        variant_(tables.table.variant),
        file_bytes_(file_bytes),
        diagnostics_(diagnostics) {}

  // The parameters in the tables must fill the file (README.md#rule-3).
  Result<void> check_sizes() {
    const Position need = total(table_);
    const uint64_t quantized = tables_.float_at - tables_.places.end;
    if (need.quantized_bytes != quantized) {
      return header_error(ErrorCode::Mismatch, kQuantizedBytes,
                          {"the header states ", quantized, " bytes, but the layers have ",
                           need.quantized_bytes, " bytes of quantized parameters"});
    }
    const uint64_t left = file_bytes_ - tables_.float_at;
    if (left == need.words * kWordBytes) return {};
    AMBRY_RETURN_IF_ERROR(check_other_flag(left));
    if (left / kWordBytes < need.words) {
      return cut_off(tables_.float_at + need.words * kWordBytes,
                     error_at(ErrorCode::Truncated, file_bytes_, "parameters",
                              {"the layers need ", need.words * kWordBytes, " bytes from byte ",
                               tables_.float_at, " on, but the file has only ", left}));
    }
    trailing_ = left - need.words * kWordBytes;
    return {};
  }

  std::vector<model::TensorEntry> place() {
    tensors_.reserve(count_tensors());
    Position canonical;
    for (const CnnKind kind : model::kCnnKinds) {
      for (size_t i = 0; i < table_.of(kind).size(); ++i) {
        if (!tables_.is_sound(kind, i)) continue;
        const auto tensors = model::cnn_tensors(table_, kind, i);
        place_layer(kind, i, tensors, canonical);
        canonical = after(canonical, tensors).value_or(canonical);
      }
    }
    if (trailing_ > 0) report_trailing();
    return std::move(tensors_);
  }

 private:
  [[nodiscard]] size_t count_tensors() const {
    const size_t each = variant_ != CnnVariant::Dq8 ? 1 : table_.asymmetric ? 3 : 2;
    size_t count = table_.batch_norms.size() * 4;
    for (const auto* layers : {&table_.convs, &table_.linears}) {
      for (const model::CnnLayer& layer : *layers) count += layer.bias != 0 ? 2 * each : each;
    }
    return count;
  }

  // The size of all layers. Each fits the file, and there are few, so the sums fit 64 bits.
  static Position total(const model::CnnTable& table) {
    Position end;
    for (const CnnKind kind : model::kCnnKinds) {
      for (size_t i = 0; i < table.of(kind).size(); ++i) {
        end = after(end, model::cnn_tensors(table, kind, i)).value_or(end);
      }
    }
    return end;
  }

  // A flag that does not match the parameters looks like many misplaced layers.
  Result<void> check_other_flag(uint64_t left) const {
    if (variant_ != CnnVariant::Dq8) return {};
    model::CnnTable other = table_;
    other.asymmetric = !table_.asymmetric;
    if (left != total(other).words * kWordBytes) return {};
    return header_error(ErrorCode::Mismatch, kAsymmetric,
                        {"the flag says that groups have ", table_.asymmetric ? "" : "no ",
                         "zero points, but the size of the file says the opposite"});
  }

  // No writer leaves bytes over. A count or size that is too low leaves whole words and moves
  // parameters, so that the network would run with wrong ones (README.md#rule-3).
  void report_trailing() {
    const uint64_t at = file_bytes_ - trailing_;
    if (trailing_ % kWordBytes != 0) {
      diagnostics_.tolerate(error_at(ErrorCode::BadValue, at, "end",
                                     {trailing_, " bytes follow the last parameter"}));
      return;
    }
    diagnostics_.error(error_at(ErrorCode::Mismatch, at, "parameters",
                                {trailing_,
                                 " bytes belong to no layer: a count in the header or a size in "
                                 "the tables is too low; export the network again"}));
  }

  // Each parameter must lie in its section, after the parameters of the layers before it
  // (README.md#rule-5).
  void place_layer(CnnKind kind, size_t index, const std::vector<model::CnnTensor>& tensors,
                   const Position& canonical) {
    const Entry entry = tables_.entry(kind, index);
    const Position own = after({}, tensors).value_or(Position{});
    Position at;
    for (size_t i = 0; i < n_offsets(variant_, kind); ++i) {
      const bool quantized = counts_quantized(variant_, kind, i);
      const int32_t offset = entry.offsets[i];
      const auto place = static_cast<uint64_t>(offset);
      const uint64_t length = quantized ? own.quantized_bytes : own.words;
      const uint64_t section = quantized ? tables_.float_at - tables_.places.end
                                         : (file_bytes_ - tables_.float_at) / kWordBytes;
      if (offset < 0 || length > section || place > section - length) {
        diagnostics_.error(
            offset_error(kind, index, i,
                         {length, quantized ? " bytes from byte " : " words from word ",
                          std::to_string(offset), " on do not fit in a section of ", section}));
        return;
      }
      // After a faulty layer, the expected offsets are unknown.
      const uint64_t expected = canonical_offset(canonical, variant_, kind, i);
      if (tables_.sized && place != expected) {
        diagnostics_.tolerate(offset_error(
            kind, index, i,
            {"the offset is ", place, ", but the order of the tables needs ", expected}));
      }
      (quantized ? at.quantized_bytes : at.words) = place;
    }
    add_tensors(tables_.place_of(kind, index), tensors, at);
  }

  [[nodiscard]] Failure offset_error(CnnKind kind, size_t index, size_t which,
                                     const Text& message) const {
    const char* field = "offset";
    if (counts_quantized(variant_, kind, which)) field = "qoffset";
    if (which == 1) field = "soffset";
    return error_at(ErrorCode::BadValue, tables_.place_of(kind, index) + offset_at(kind, which),
                    path_of(kind, index, field), message);
  }

  void add_tensors(uint64_t entry, const std::vector<model::CnnTensor>& tensors, Position at) {
    for (const model::CnnTensor& tensor : tensors) {
      model::TensorEntry placed;
      placed.name = tensor.name;
      placed.dtype = tensor.dtype;
      placed.shape = tensor.shape;
      placed.finite_above = tensor.finite_above;
      placed.index_offset = entry;
      placed.offset = tensor.quantized ? tables_.places.end + at.quantized_bytes
                                       : tables_.float_at + at.words * kWordBytes;
      const Position next = after(at, {tensor}).value_or(at);
      placed.bytes =
          next.quantized_bytes - at.quantized_bytes + (next.words - at.words) * kWordBytes;
      at = next;
      tensors_.push_back(std::move(placed));
    }
  }

  const FileTables& tables_;
  const model::CnnTable& table_;
  CnnVariant variant_;
  uint64_t file_bytes_;
  io::Diagnostics& diagnostics_;
  uint64_t trailing_ = 0;  // bytes that no layer needs
  std::vector<model::TensorEntry> tensors_;
};

void add_regions(const FileTables& tables, model::Model& model) {
  const auto add = [&](const char* name, uint64_t from, uint64_t to) {
    if (to > from) model.regions.push_back({name, from, to - from});
  };
  const TablePlaces& places = tables.places;
  add("header", 0, places.layers[0]);
  add("conv table", places.layers[0], places.layers[1]);
  add("linear table", places.layers[1], places.layers[2]);
  add("batchnorm table", places.layers[2], places.activations);
  add("activation table", places.activations, places.end);
}

}  // namespace

Result<bool> probe(const io::Source& source) {
  AMBRY_TRY(const auto variant, find_variant(source));
  return variant.has_value();
}

Result<model::Model> parse_as(CnnVariant variant, const io::Source& source,
                              io::Diagnostics& diagnostics) {
  AMBRY_TRY(const FileTables tables, read_tables(variant, source, diagnostics));
  Placement placement(tables, source.size(), diagnostics);
  if (tables.sized) AMBRY_RETURN_IF_ERROR(placement.check_sizes());
  model::Model model;
  model.format = "tinyruntime";
  model.version = kVersions[static_cast<size_t>(variant)];
  model.file_bytes = source.size();
  model.tensors = placement.place();
  model.config = model::cnn_config(tables.table);
  add_regions(tables, model);
  return model;
}

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& /*options*/) {
  AMBRY_TRY(const auto variant, find_variant(source));
  if (variant) return parse_as(*variant, source, diagnostics);
  return error_at(ErrorCode::BadMagic, 0, "header",
                  "header and tables make sense in none of tinyRuntime's three variants");
}

}  // namespace ambry::formats::tinyruntime

// The table of formats: one row each, in registry.cpp. Every other list of formats derives from it;
// other languages get it by api/files/tables.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::formats {

// What the models of a format are run as. No format runs as a Reranker or what follows it: these
// are encoders with a head, and a Reranker has one of one label. An encoder with a classification
// head of more labels is a TextClassifier.
enum class Runs : uint8_t {
  Nothing,
  Encoder,
  Decoder,
  Words,
  ImageClassifier,
  TextClassifier,
  Reranker,
  TokenClassifier,
  QuestionAnswering,
  FillMask,
  SparseEncoder
};

// The kind of model by its public name: `encoder`, `generator`, …. Empty for Nothing.
[[nodiscard]] std::string_view kind_name(Runs runs);
// Nothing for a name that is no kind.
[[nodiscard]] Runs find_kind(std::string_view name);

// The facts of a format, beside its code. Import formats have them too
// (convert/import/import_formats.h).
struct FormatFacts {
  std::string_view id;
  std::string_view label;  // as people write it
  std::string_view file;   // what one of its files is: "an AMB model"
  // The endings of its files' names. Files that are written get the first one.
  std::array<std::string_view, 2> extensions = {};
  // First bytes that no other format has. More than one where writers differ; none where such files
  // are told by more than that, or not at all.
  std::array<std::string_view, 3> magics = {};
};

struct Format {
  FormatFacts facts;
  Runs runs = Runs::Nothing;

  // Cheap: whether the first bytes are this format's. NeedBytes when they are not held. nullptr:
  // the magics say all.
  Result<bool> (*probe)(const io::Source& source) = nullptr;

  // Reads headers, metadata, vocabulary and tensor index, never tensor bytes. Problems that do not
  // stop the reader are collected in `diagnostics`. Callers that use the model must refuse it when
  // `diagnostics.errors` is not empty. Restartable: after NeedBytes, insert the
  // bytes and call again with fresh diagnostics.
  Result<model::Model> (*parse)(const io::Source& source, io::Diagnostics& diagnostics,
                                const model::ReadOptions& options) = nullptr;

  // Whether the model makes sense: counts that must agree, required tensors and their shapes.
  // Needs no bytes of the file.
  void (*check)(const model::Model& model, io::Diagnostics& diagnostics) = nullptr;

  // Lays out a strict file of the model's content and sets the tensors' offsets and sizes to those
  // in it; BadValue, LimitExceeded or Unsupported for what the format cannot hold. nullptr for
  // formats that are only read.
  Result<model::FileLayout> (*lay_out)(model::Model& model) = nullptr;

  // The model in the form in which it runs, from the parsed and checked model; reads values that
  // are facts of the model from the file (NeedBytes). The first thing that prevents running is the
  // error. nullptr: it runs as parsed.
  Result<model::Model> (*to_run)(const io::Source& source, model::Model model,
                                 io::Diagnostics& diagnostics) = nullptr;

  // Whether `parse` can do without the size of the file, because the file states it.
  bool states_size = false;
  // Whether files may state checksums over themselves (`Model::checksums`).
  bool states_checksums = false;
  // Whether `parse` takes a model in several files as one source (io::Source::part_ends()).
  bool has_parts = false;
};

[[nodiscard]] std::span<const Format> formats();

// The formats of sentence encoders. A program that only runs these links no other parser.
[[nodiscard]] std::span<const Format> encoder_formats();

// The formats of models that generate text. A program that only runs these links no other parser.
[[nodiscard]] std::span<const Format> decoder_formats();

// The formats of word vectors, for a program that only runs these.
[[nodiscard]] std::span<const Format> word_formats();

// The formats of networks that classify pictures, for a program that only runs these.
[[nodiscard]] std::span<const Format> image_classifier_formats();

// The formats of classifiers of texts, for a program that only runs these. The files may also hold
// word vectors.
[[nodiscard]] std::span<const Format> text_classifier_formats();

// All formats, with the parsers of those alone whose files have tokenizers, for a program that only
// runs tokenizers. `parse` of the others is nullptr, as every other function but `probe` is.
[[nodiscard]] std::span<const Format> token_formats();

// All formats; only ONNX and what it is converted to have parsers and writers. This is formats() in
// the module that reads ONNX.
[[nodiscard]] std::span<const Format> onnx_formats();

// Whether the first bytes are this format's, by its magics or its probe.
[[nodiscard]] Result<bool> probe(const Format& format, const io::Source& source);

// The format of this id; nullptr when there is none.
[[nodiscard]] const Format* find_format(std::string_view id);

// The format that the first bytes belong to. BadMagic, saying what the file looks like, if none.
[[nodiscard]] Result<const Format*> recognise(const io::Source& source);
// Recognises among `all`, rows of all formats such as token_formats(), and brings no other parser
// along.
[[nodiscard]] Result<const Format*> recognise_any(const io::Source& source,
                                                  std::span<const Format> all);
// The format among `candidates` that the first bytes belong to; BadMagic if none. This names fewer
// foreign files, to keep programs small.
[[nodiscard]] Result<const Format*> recognise(const io::Source& source,
                                              std::span<const Format> candidates);

}  // namespace ambry::formats

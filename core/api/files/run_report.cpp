#include "api/files/run_report.h"

#include <utility>

#include "api/call/documents.h"
#include "api/encoder/encoder_model.h"
#include "api/loading/parse_to_run.h"
#include "api/tokenizer/tokenizer_trial.h"
#include "io/source_part.h"
#include "model/encoder/encoder_config.h"
#include "model/file/tensor_table.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/chat_templates.h"
#include "model/tokenizer/end_tokens.h"
#include "opening/opening.h"

namespace ambry::api {
namespace {

using formats::Runs;
using io::Json;

// A model that generates text does without a tokenizer, and without one of an unknown kind: it then
// takes ids (GeneratorLoader).
void look_at_tokenizer(model::Model& model, RunReport& report) {
  const bool known = model.tokenizer && model.tokenizer->kind != model::TokenizerKind::Custom;
  auto made = check_tokenizer(model);
  if (made) return;
  Failure problem = made.take_error();
  const bool absent = !model.tokenizer || (!known && problem->code == ErrorCode::Unsupported);
  if (report.runs != Runs::Decoder || !absent) {
    report.obstacle = std::move(problem);
    return;
  }
  problem->message += "; the model takes token ids, and no text";
  report.warnings.push_back(std::move(problem));
}

// A classification head of one label makes a reranker of an encoder, one of more a text classifier.
// A masked language model is an encoder, unless somebody asks for more, and so is a model that
// gives vectors of texts besides the weights of words.
Runs kind_by_head(const model::Model& model) {
  const auto config = model::encoder_config(model);
  if (!config || !config->head) return Runs::Encoder;
  switch (config->head->task) {
    case model::HeadTask::TokenClassification:
      return Runs::TokenClassifier;
    case model::HeadTask::QuestionAnswering:
      return Runs::QuestionAnswering;
    case model::HeadTask::FillMask:
      return Runs::Encoder;
    case model::HeadTask::Sparse:
      return config->gives_all() ? Runs::Encoder : Runs::SparseEncoder;
    default:
      return config->head->labels.size() == 1 ? Runs::Reranker : Runs::TextClassifier;
  }
}

Json generator_facts(const model::Model& model) {
  Json facts = Json::object();
  Json& ends = facts.set("endIds", Json::array());
  if (model.tokenizer) {
    for (const uint32_t id : model::end_ids(*model.tokenizer)) ends.append(id);
  }
  facts.set("chatTemplates", model::template_names(model::chat_templates_of(model.config)));
  return facts;
}

Result<void> check_facts(const model::Model& model, Runs runs) {
  if (runs == Runs::Encoder) return require_vocabulary(model);
  if (runs != Runs::ImageClassifier) return {};
  io::Diagnostics diagnostics;
  model::check_regions_disjoint(model.tensors, diagnostics);
  if (diagnostics.errors.empty()) return {};
  return std::move(diagnostics.errors.front());
}

}  // namespace

RunReport run_report(model::Model& model, Runs runs, bool vocabulary) {
  RunReport report;
  report.runs = runs;
  if (auto sound = check_facts(model, runs); !sound) {
    report.obstacle = sound.take_error();
    return report;
  }
  auto memory = memory_estimate(model, runs);
  if (!memory) {
    report.obstacle = memory.take_error();
    return report;
  }
  report.memory = *memory;
  const bool reads_text = runs == Runs::Encoder || runs == Runs::Decoder;
  if (reads_text && vocabulary) look_at_tokenizer(model, report);
  // A language model that makes embeddings opens as an encoder.
  if (runs == Runs::Decoder && model::has_value(model.config, "embedding")) {
    report.runs = Runs::Encoder;
  }
  if (runs == Runs::Decoder && model::has_value(model.config, "reranker")) {
    report.runs = Runs::Reranker;
  }
  if (runs == Runs::Encoder) report.runs = kind_by_head(model);
  if (report.runs == Runs::Decoder) report.generator = generator_facts(model);
  return report;
}

Result<RunReport> run_report(const io::Source& source, const formats::Format& format,
                             model::Model model, io::Diagnostics& diagnostics, bool vocabulary) {
  AMBRY_TRY(const opening::Opening opening, opening::opening_of(source, format));
  RunReport report;
  report.runs = opening.runs;
  report.converts = opening.converts;
  if (report.converts) return report;
  auto read = model_to_run(source, format, std::move(model), diagnostics);
  if (!read) {
    Failure error = read.take_error();
    const bool lacks_bytes = error->code == ErrorCode::NeedBytes;
    if (lacks_bytes && !source.sequential_only()) return error;
    if (!lacks_bytes) report.obstacle = io::in_part(source, std::move(error));
    return report;
  }
  report = run_report(read->model, report.runs, vocabulary);
  if (report.obstacle) {
    Failure error(std::move(*report.obstacle));
    report.obstacle = io::in_part(source, with_stored_name(std::move(error), *read));
  }
  return report;
}

Json memory_document(const std::optional<MemoryEstimate>& memory) {
  if (!memory) return {};
  Json document = Json::object();
  document.set("asStored", memory->as_stored);
  document.set("int8", memory->int8 ? Json(*memory->int8) : Json());
  return document;
}

Json run_document(const RunReport& report, std::string_view format) {
  Json document = Json::object();
  document.set("kind", report.runs == Runs::Nothing ? Json() : Json(kind_name(report.runs)));
  const std::string_view runs_in = report.converts ? opening::format_for(report.runs) : format;
  document.set("format", runs_in.empty() ? Json() : Json(runs_in));
  document.set("converts", report.converts);
  document.set("memory", memory_document(report.memory));
  document.set("obstacle", report.obstacle ? problem(*report.obstacle) : Json());
  document.set("warnings", problems(report.warnings));
  set_generator(report, document);
  return document;
}

void set_generator(const RunReport& report, Json& document) {
  if (!report.generator.is_null()) document.set("generator", report.generator);
}

}  // namespace ambry::api

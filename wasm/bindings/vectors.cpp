// Indexes of the caller's own vectors: made in memory, and read from files by range. Also groups
// and maps of vectors.
#include <emscripten/bind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/search/list_reader.h"
#include "api/search/map_job.h"
#include "api/search/vector_lists.h"
#include "border/js_values.h"
#include "border/outcome.h"

namespace ambry::wasm {

template <>
constexpr auto kRangeOf<api::ListReader> = &api::ListReader::header;
template <>
constexpr auto kRangeOf<api::MapJob> = &api::MapJob::positions;

namespace {

using api::ClusterJob;
using api::ListLookup;
using api::ListReader;
using api::MapJob;
using api::VectorJob;
using api::VectorLists;

template <class T>
std::string range_of(std::span<const T> values) {
  return heap_range(values.data(), values.size_bytes());
}

JsText create_lists(double dim, bool as_bytes) {
  return outcome(VectorLists::create(static_cast<uint32_t>(dim), as_bytes));
}

JsText append_vectors(Handle job, const JsBytes& vectors) {
  return with<VectorJob>(job, [&](VectorJob& taking) { return taking.append(floats_of(vectors)); });
}

JsText begin_lists(Handle index, double n_lists, double recall) {
  return with<VectorLists>(index, [&](VectorLists& lists) { return lists.begin(n_lists, recall); });
}

JsText step_vectors(Handle job) {
  return with<VectorJob>(job, [](VectorJob& working) { return working.step(); });
}

JsText lists_facts(Handle index) {
  return with<VectorLists>(index, [](const VectorLists& lists) { return lists.facts(); });
}

JsText search_lists(Handle index, const JsBytes& query, const JsBytes& marks, double k,
                    double probes, double candidates) {
  return with<VectorLists>(index, [&](const VectorLists& lists) {
    const std::string marked = text_of(marks);
    return lists.search(floats_of(query), as_bytes(marked), static_cast<size_t>(k),
                        static_cast<uint32_t>(probes), static_cast<uint32_t>(candidates));
  });
}

JsText lists_order(Handle index) {
  return with<VectorLists>(index, [](VectorLists& lists) {
    const auto order = lists.order();
    return concat({R"({"positions":)", range_of(order.positions), R"(,"begins":)",
                   range_of(order.begins), "}"});
  });
}

JsText save_lists(Handle index, const JsBytes& header, const JsBytes& id_sizes,
                  const JsBytes& id_crcs) {
  return with<VectorLists>(index, [&](VectorLists& lists) -> Result<std::string> {
    const std::string text = text_of(header);
    AMBRY_TRY(const auto pieces,
              lists.save(as_bytes(text), counts_of(id_sizes), counts_of(id_crcs)));
    std::string ranges = "[";
    for (const Bytes piece : pieces) {
      if (ranges.size() > 1) ranges += ",";
      ranges += range_of(piece);
    }
    return ranges + "]";
  });
}

JsText list_head_size(const JsBytes& start, double file_size) {
  const std::string bytes = text_of(start);
  return outcome(ListReader::head_size(as_bytes(bytes), static_cast<uint64_t>(file_size)));
}

JsText open_lists(const JsBytes& head, double file_size) {
  const std::string bytes = text_of(head);
  return outcome(ListReader::open(as_bytes(bytes), static_cast<uint64_t>(file_size)));
}

JsText list_file_facts(Handle reader) {
  return with<ListReader>(reader, [](const ListReader& file) { return file.facts(); });
}

JsText check_codes(Handle reader, double list, const JsBytes& codes) {
  return with<ListReader>(reader, [&](const ListReader& file) {
    const std::string bytes = text_of(codes);
    return file.check_codes(static_cast<uint32_t>(list), as_bytes(bytes));
  });
}

JsText check_ids(Handle reader, double list, const JsBytes& ids) {
  return with<ListReader>(reader, [&](const ListReader& file) {
    const std::string bytes = text_of(ids);
    return file.check_ids(static_cast<uint32_t>(list), as_bytes(bytes));
  });
}

JsText begin_lookup(Handle reader, const JsBytes& query, double k, double candidates) {
  return with<ListReader>(reader, [&](const ListReader& file) {
    return ListLookup::begin(file, floats_of(query), static_cast<size_t>(k),
                             static_cast<uint32_t>(candidates));
  });
}

JsText lookup_lists(Handle lookup, double first, double count) {
  return with<ListLookup>(lookup, [&](const ListLookup& query) {
    return query.lists(static_cast<size_t>(first), static_cast<size_t>(count));
  });
}

JsText scan_list(Handle lookup, double list, const JsBytes& codes, const JsBytes& marks) {
  return with<ListLookup>(lookup, [&](ListLookup& query) {
    const std::string bytes = text_of(codes);
    const std::string marked = text_of(marks);
    return query.scan(static_cast<uint32_t>(list), as_bytes(bytes), as_bytes(marked));
  });
}

JsText lookup_candidates(Handle lookup) {
  return with<ListLookup>(lookup, [](ListLookup& query) { return query.candidates(); });
}

JsText score_rows(Handle lookup, double row, const JsBytes& records) {
  return with<ListLookup>(lookup, [&](ListLookup& query) {
    const std::string bytes = text_of(records);
    return query.score(static_cast<uint32_t>(row), as_bytes(bytes));
  });
}

JsText lookup_hits(Handle lookup) {
  return with<ListLookup>(lookup, [](ListLookup& query) { return query.hits(); });
}

JsText begin_clusters(double dim, double count) {
  return outcome(ClusterJob::create(static_cast<uint32_t>(dim), static_cast<uint32_t>(count)));
}

JsText clusters(Handle job) {
  return with<ClusterJob>(job, [](const ClusterJob& made) {
    return concat({R"({"centroids":)", range_of(made.centroids()), R"(,"members":)",
                   range_of(made.members()), "}"});
  });
}

JsText begin_map(double dim) { return outcome(MapJob::create(static_cast<uint32_t>(dim))); }

}  // namespace

EMSCRIPTEN_BINDINGS(ambry_vectors) {
  emscripten::function("createLists", &create_lists);
  emscripten::function("appendVectors", &append_vectors);
  emscripten::function("beginLists", &begin_lists);
  emscripten::function("stepVectors", &step_vectors);
  emscripten::function("listsFacts", &lists_facts);
  emscripten::function("searchLists", &search_lists);
  emscripten::function("listsOrder", &lists_order);
  emscripten::function("saveLists", &save_lists);
  emscripten::function("listHeadSize", &list_head_size);
  emscripten::function("openLists", &open_lists);
  emscripten::function("listFileFacts", &list_file_facts);
  emscripten::function("checkCodes", &check_codes);
  emscripten::function("checkIds", &check_ids);
  emscripten::function("beginLookup", &begin_lookup);
  emscripten::function("lookupLists", &lookup_lists);
  emscripten::function("scanList", &scan_list);
  emscripten::function("lookupCandidates", &lookup_candidates);
  emscripten::function("scoreRows", &score_rows);
  emscripten::function("lookupHits", &lookup_hits);
  emscripten::function("beginClusters", &begin_clusters);
  emscripten::function("clusters", &clusters);
  emscripten::function("beginMap", &begin_map);
}

}  // namespace ambry::wasm

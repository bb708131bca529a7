// ggml's own block types, for comparison. Compiled with ggml-quants.c of llama.cpp when the test
// runs. Usage: quants-oracle decode TYPE < blocks > floats
//        quants-oracle encode TYPE COLUMNS [IMPORTANCE] < floats > blocks
//   IMPORTANCE: a file with a float for each column
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GGML_COMMON_DECL_C
#include "ggml-common.h"
#include "ggml-quants.h"

typedef void decode_rows(const void*, float*, int64_t);
typedef size_t encode_rows(const float*, void*, int64_t, int64_t, const float*);

struct type {
  const char* name;
  enum ggml_type id;
  int64_t elements;
  size_t bytes;
  decode_rows* decode;
  encode_rows* encode;
};

#define TYPE(name, id, block, elements)                                                          \
  {#name,          GGML_TYPE_##id, elements, sizeof(block), (decode_rows*)dequantize_row_##name, \
   quantize_##name}

static const struct type types[] = {
    TYPE(q8_0, Q8_0, block_q8_0, QK8_0),         TYPE(q2_K, Q2_K, block_q2_K, QK_K),
    TYPE(q3_K, Q3_K, block_q3_K, QK_K),          TYPE(q4_K, Q4_K, block_q4_K, QK_K),
    TYPE(q5_K, Q5_K, block_q5_K, QK_K),          TYPE(q6_K, Q6_K, block_q6_K, QK_K),
    TYPE(iq1_s, IQ1_S, block_iq1_s, QK_K),       TYPE(iq1_m, IQ1_M, block_iq1_m, QK_K),
    TYPE(iq2_xxs, IQ2_XXS, block_iq2_xxs, QK_K), TYPE(iq2_xs, IQ2_XS, block_iq2_xs, QK_K),
    TYPE(iq2_s, IQ2_S, block_iq2_s, QK_K),       TYPE(iq3_xxs, IQ3_XXS, block_iq3_xxs, QK_K),
    TYPE(iq3_s, IQ3_S, block_iq3_s, QK_K),       TYPE(iq4_nl, IQ4_NL, block_iq4_nl, QK4_NL),
    TYPE(iq4_xs, IQ4_XS, block_iq4_xs, QK_K),    TYPE(mxfp4, MXFP4, block_mxfp4, QK_MXFP4),
    TYPE(nvfp4, NVFP4, block_nvfp4, QK_NVFP4),
};

// What ggml-quants.c takes from the rest of ggml.
void ggml_abort(const char* file, int line, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: ", file, line);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  abort();
}
static const struct type* type_of(enum ggml_type id) {
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    if (types[i].id == id) return &types[i];
  }
  abort();
}
size_t ggml_type_size(enum ggml_type id) { return type_of(id)->bytes; }
size_t ggml_row_size(enum ggml_type id, int64_t n) {
  return (size_t)(n / type_of(id)->elements) * type_of(id)->bytes;
}
const char* ggml_type_name(enum ggml_type id) { return type_of(id)->name; }
void ggml_critical_section_start(void) {}
void ggml_critical_section_end(void) {}

static void* read_all(FILE* from, size_t* size) {
  char* data = NULL;
  size_t room = 0;
  *size = 0;
  do {
    room = room * 2 + 65536;
    data = realloc(data, room);
    *size += fread(data + *size, 1, room - *size, from);
  } while (*size == room);
  return data;
}

int main(int n, char** arguments) {
  const struct type* type = NULL;
  for (size_t i = 0; n > 2 && i < sizeof(types) / sizeof(types[0]); ++i) {
    if (strcasecmp(types[i].name, arguments[2]) == 0) type = &types[i];
  }
  if (type == NULL) return fprintf(stderr, "unknown type\n"), 2;
  size_t size = 0;
  void* in = read_all(stdin, &size);
  if (strcmp(arguments[1], "decode") == 0) {
    const int64_t count = (int64_t)(size / type->bytes) * type->elements;
    float* out = malloc((size_t)count * sizeof(float));
    type->decode(in, out, count);
    fwrite(out, sizeof(float), (size_t)count, stdout);
    return 0;
  }
  const int64_t columns = atoll(arguments[3]);
  const int64_t rows = (int64_t)(size / sizeof(float)) / columns;
  const float* importance = NULL;
  if (n > 4) {
    FILE* file = fopen(arguments[4], "rb");
    size_t unused = 0;
    importance = read_all(file, &unused);
    fclose(file);
  }
  const size_t bytes = (size_t)(rows * columns / type->elements) * type->bytes;
  void* out = malloc(bytes);
  type->encode(in, out, rows, columns, importance);
  fwrite(out, 1, bytes, stdout);
  return 0;
}

// The types that cross. This takes the place of embind's own list of every C++ type, which a page
// would download together with the JavaScript for each; a binding with a type that is not here
// fails when the module loads.
#include <emscripten/bind.h>

#include <string>

extern "C" {

// embind's own file has these; whatever else it has must not be linked.
// NOLINTNEXTLINE(bugprone-reserved-identifier): embind's name
const char* __getTypeName(const std::type_info* /*type*/) { return nullptr; }
void _embind_register_bindings(emscripten::internal::InitFunc* /*binding*/) {}

}  // extern "C"

EMSCRIPTEN_BINDINGS(ambry_types) {
  namespace embind = emscripten::internal;
  embind::_embind_register_bool(embind::TypeID<bool>::get(), "bool", true, false);
  embind::_embind_register_float(embind::TypeID<double>::get(), "double", sizeof(double));
  embind::_embind_register_std_string(embind::TypeID<std::string>::get(), "std::string");
}

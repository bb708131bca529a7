// What AddressSanitizer does unless ASAN_OPTIONS says otherwise. Too large an allocation is an
// Error of ours, so the allocator must answer nullptr as everywhere else, and not end the program.
extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

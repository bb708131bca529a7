// Programs that Emscripten compiled have an environment of their own. This gives ambry_tests the
// host's, for AMBRY_DATA and GoogleTest's variables.
Module.preRun = () => Object.assign(ENV, process.env);

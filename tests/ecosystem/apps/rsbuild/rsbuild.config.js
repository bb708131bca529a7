// Rsbuild finds src/index.js by itself.
export default {};

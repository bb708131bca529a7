// The built module's types; ambry.mjs and the .wasm files come here from the build.
export type * from '../../../wasm/module.d.ts';
export { default } from '../../../wasm/module.d.ts';

// A shipped module without the package around it, as benchmarks of single calls want it.
import { readFileSync } from 'node:fs';

/** Gives load(): a module of its own, because memory never shrinks, and its memory. */
export async function wasmModules(name, flavour) {
  const wasm = (file) => new URL(`../../web/src/wasm/${file}`, import.meta.url);
  const { default: create } = await import(wasm(`${name}.mjs`).href);
  const compiled = await WebAssembly.compile(readFileSync(wasm(`${name}-${flavour}.wasm`)));
  return async () => {
    let memory;
    const module = await create({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports).then((instance) => {
          memory = Object.values(instance.exports).find(
            (item) => item instanceof WebAssembly.Memory,
          );
          receive(instance, compiled);
        });
        return {};
      },
    });
    return { module, memory };
  };
}

export function unwrap(text) {
  const outcome = JSON.parse(text);
  if ('error' in outcome) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

/** Uniform from -1 to 1, the same in every run. */
export function randomNumbers() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

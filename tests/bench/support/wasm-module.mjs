// A shipped module without the package around it, as benchmarks of single calls want it, in Node and in pages.

/** The bytes of a file that is held, lies by a path from here, or is on the page's server. */
export async function bytesAt(place) {
  if (place instanceof Uint8Array) {
    return place;
  }
  const url = new URL(place, import.meta.url);
  if (url.protocol !== 'file:') {
    return new Uint8Array(await (await fetch(url)).arrayBuffer());
  }
  const { readFile } = await import('node:fs/promises');
  return readFile(url);
}

/** Gives load(): a module of its own, because memory never shrinks, and its memory. */
export async function wasmModules(name, flavour) {
  const wasm = (file) => new URL(`../../../web/src/wasm/${file}`, import.meta.url).href;
  const { default: create } = await import(wasm(`${name}.mjs`));
  const compiled = await WebAssembly.compile(await bytesAt(wasm(`${name}-${flavour}.wasm`)));
  // Modules that can share memory import it, and would make a shared one by themselves.
  const importsMemory = WebAssembly.Module.imports(compiled).some(({ kind }) => kind === 'memory');
  return async () => {
    let memory = importsMemory
      ? new WebAssembly.Memory({ initial: 256, maximum: 65536 })
      : undefined;
    const module = await create({
      wasmMemory: memory,
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports).then((instance) => {
          memory ??= Object.values(instance.exports).find(
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
  if ('error' in outcome) {
    throw new Error(JSON.stringify(outcome.error));
  }
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

// The functions that a built module binds, as they are registered with embind when the module starts.
import { readFile } from 'node:fs/promises';
import type { CoreModule, CreateModule } from '../../web/src/wasm/module.mjs';
import type { Signature } from './signature.ts';

const folder = new URL('../../web/src/wasm/', import.meta.url);

/** What TypeScript calls the types that embind registers. The others are registered by the name that they have there. */
const typeNames: Readonly<Record<string, string>> = {
  'std::string': 'string',
  bool: 'boolean',
  double: 'number',
};

interface Call {
  readonly args: readonly number[];
  /** The text that an argument points to; empty where it is no address of a name. */
  readonly texts: readonly string[];
}

/**
 * Every function that the module binds, by name. Names of imports are minified, so the calls of embind are told by
 * what they are given: a type by its id and its name, a function by its name, which the module has afterwards, and
 * the ids of its types.
 */
export async function registeredIn(name: string): Promise<Map<string, Signature>> {
  const { default: create } = (await import(new URL(`${name}.mjs`, folder).href)) as {
    default: CreateModule<CoreModule>;
  };
  const compiled = await WebAssembly.compile(
    await readFile(new URL(`${name}-baseline.wasm`, folder)),
  );
  const calls: Call[] = [];
  let heap = new DataView(new ArrayBuffer(0));
  const module = await create({
    wasmMemory: new WebAssembly.Memory({ initial: 256, maximum: 65536 }),
    instantiateWasm(imports, receive) {
      const heard = withListener(imports, (args) =>
        calls.push({ args, texts: args.map((address) => textAt(heap, address)) }),
      );
      WebAssembly.instantiate(compiled, heard).then((instance) => {
        // A module whose memory can be shared imports it.
        const all = [instance.exports, ...Object.values(imports)].flatMap(Object.values);
        const memory = all.find((it) => it instanceof WebAssembly.Memory);
        heap = new DataView((memory as WebAssembly.Memory).buffer);
        receive(instance, compiled);
      });
      return {};
    },
  });
  const types = new Map(calls.map(({ args, texts }) => [args[0], texts[1] ?? '']));
  const typeAt = (address: number) => {
    const type = types.get(heap.getUint32(address, true)) ?? '';
    return typeNames[type] ?? type;
  };
  const functions = calls.filter(
    ({ args, texts: [text = ''] }) => args.length > 5 && text in module,
  );
  return new Map(
    functions.map(({ args: [, count = 0, first = 0], texts: [text = ''] }) => {
      const [result = '', ...parameters] = Array.from({ length: count }, (_, i) =>
        typeAt(first + 4 * i),
      );
      return [text, { parameters, result }];
    }),
  );
}

function withListener(
  imports: WebAssembly.Imports,
  listen: (args: readonly number[]) => void,
): WebAssembly.Imports {
  const heard = (value: WebAssembly.ImportValue): WebAssembly.ImportValue => {
    if (typeof value !== 'function') {
      return value;
    }
    return (...args: number[]) => {
      listen(args);
      return value(...args);
    };
  };
  return Object.fromEntries(
    Object.entries(imports).map(([from, values]) => [
      from,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, heard(value)])),
    ]),
  );
}

function textAt(heap: DataView, address: number): string {
  let text = '';
  for (let at = address; at > 0 && at < heap.byteLength && text.length < 100; at++) {
    const code = heap.getUint8(at);
    if (code === 0) {
      return text;
    }
    text += String.fromCharCode(code);
  }
  return '';
}

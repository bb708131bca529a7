// A compiled module says whether its memory is shared. This says it of a module that was compiled without, and leaves
// the memory to whoever makes instances: it is imported, and holds already what the module would put there. Without
// threads the code is the same. Sections are as in WebAssembly's specification, 5.5.

const importSection = 2;
const memorySection = 5;
const data = 11;
const dataCount = 12;

const headBytes = 8;
export const mostPages = 65536;

interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** Where the memory is imported from. */
export const memoryImport = { module: 'ambry', name: 'memory' } as const;

export function overSharedMemory(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(wasm);
  const limits = sections.find(({ id }) => id === memorySection)?.body;
  const kept = sections.filter(({ id }) => id !== memorySection && id !== data && id !== dataCount);
  const all = kept.flatMap(({ id, body }) => {
    const own = id === importSection ? withMemory(body, limits) : body;
    return [Uint8Array.of(id), numberOf(own.length), own];
  });
  return joined([wasm.subarray(0, headBytes), ...all]);
}

function sectionsOf(wasm: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let at = headBytes; at < wasm.length; ) {
    const id = wasm[at] ?? 0;
    const size = read(wasm, at + 1);
    sections.push({ id, body: wasm.subarray(size.end, size.end + size.number) });
    at = size.end + size.number;
  }
  return sections;
}

/** The imports with one more: a shared memory at least as large as the module's own. */
function withMemory(
  imports: Uint8Array,
  memories: Uint8Array = Uint8Array.of(1, 0, 1),
): Uint8Array {
  const count = read(imports, 0);
  const least = read(memories, 2);
  const { module, name } = memoryImport;
  const memory = [textOf(module), textOf(name), Uint8Array.of(2, 3), numberOf(least.number)];
  const rest = imports.subarray(count.end);
  return joined([numberOf(count.number + 1), rest, ...memory, numberOf(mostPages)]);
}

/** LEB128, unsigned. */
function read(bytes: Uint8Array, at: number): { readonly number: number; readonly end: number } {
  let number = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { number: number >>> 0, end: at };
  }
}

function numberOf(number: number): Uint8Array {
  const bytes: number[] = [];
  for (; number > 0x7f; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, number);
}

function textOf(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return joined([numberOf(bytes.length), bytes]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

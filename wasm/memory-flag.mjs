// The byte of a WebAssembly file that says whether the memory that it imports is shared. Modules are linked for shared
// memory. Their files ask for memory of one's own, and a worker that shares memory sets this bit before it compiles one.

/** In the flags of a memory's limits. */
const isShared = 0b10;
const importSection = 2;
const kinds = { function: 0, table: 1, memory: 2, global: 3 };

/**
 * Clears the bit, in place.
 * @param {Uint8Array} wasm
 * @returns {number} where the byte is
 */
export function clearSharedFlag(wasm) {
  const at = flagAt(wasm);
  const flags = wasm[at] ?? 0;
  if ((flags & isShared) === 0) {
    throw new Error('the module is not linked for shared memory');
  }
  wasm[at] = flags & ~isShared;
  return at;
}

/** @param {Uint8Array} wasm */
function flagAt(wasm) {
  const reader = new Reader(wasm, 8);
  while (reader.byte() !== importSection) {
    reader.skip(reader.number());
  }
  reader.number(); // the size of the section
  for (let left = reader.number(); left > 0; left--) {
    reader.skip(reader.number()); // the name of the module
    reader.skip(reader.number()); // the name of the import
    const kind = reader.byte();
    if (kind === kinds.memory) {
      return reader.at;
    }
    if (kind === kinds.function) {
      reader.number();
    } else if (kind === kinds.global) {
      reader.skip(2);
    } else {
      throw new Error(`the module imports something of kind ${kind}`);
    }
  }
  throw new Error('the module imports no memory');
}

class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    const byte = this.bytes[this.at++];
    if (byte === undefined) {
      throw new Error('the module imports no memory');
    }
    return byte;
  }

  /** LEB128 */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }

  /** @param {number} count */
  skip(count) {
    this.at += count;
  }
}

// SHA-256 of bytes that come piece by piece (FIPS 180-4); WebCrypto only takes them whole.

const blockBytes = 64;

/** The first 32 bits of the fractional parts of the `power`-th roots of the first `count` primes. */
function primeRoots(count: number, power: number): Uint32Array {
  const roots = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true;
    for (let d = 2; d * d <= candidate; d++) {
      isPrime &&= candidate % d !== 0;
    }
    if (isPrime) {
      roots[found++] = (candidate ** (1 / power) % 1) * 2 ** 32;
    }
  }
  return roots;
}

export class Sha256 {
  readonly #state = primeRoots(8, 2);
  readonly #k = primeRoots(64, 3);
  readonly #w = new Uint32Array(64);
  readonly #rest = new Uint8Array(blockBytes);
  #bytes = 0;

  update(bytes: Uint8Array): void {
    let at = 0;
    const held = this.#bytes % blockBytes;
    this.#bytes += bytes.byteLength;
    if (held > 0) {
      at = Math.min(blockBytes - held, bytes.byteLength);
      this.#rest.set(bytes.subarray(0, at), held);
      if (held + at < blockBytes) {
        return;
      }
      this.#block(this.#rest, 0);
    }
    for (; at + blockBytes <= bytes.byteLength; at += blockBytes) {
      this.#block(bytes, at);
    }
    this.#rest.set(bytes.subarray(at));
  }

  /** 64 hexadecimal digits; call once. */
  hex(): string {
    const bits = this.#bytes * 8;
    const padding = new Uint8Array(paddingFor(this.#bytes));
    const view = new DataView(padding.buffer);
    padding[0] = 0x80;
    view.setUint32(padding.byteLength - 8, bits / 2 ** 32);
    view.setUint32(padding.byteLength - 4, bits);
    this.update(padding);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #block(bytes: Uint8Array, at: number): void {
    const w = this.#w;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, blockBytes);
    for (let i = 0; i < 16; i++) {
      w[i] = view.getUint32(i * 4);
    }
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15] as number;
      const b = w[i - 2] as number;
      const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
      const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
      w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
    }
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (this.#k[i] as number) + (w[i] as number)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    const sums = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) {
      state[i] = (state[i] as number) + (sums[i] as number);
    }
  }
}

type Eight = [number, number, number, number, number, number, number, number];

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** Bytes that fill the last block: a 1 bit, zeros, and the length in 8 bytes. */
function paddingFor(bytes: number): number {
  const used = bytes % blockBytes;
  return (used < 56 ? blockBytes : 2 * blockBytes) - used;
}

// Writes and reads the binary parts of index files: bytes and unsigned integers of variable length (LEB128).
import { AmbryError } from 'ambry/terms';

export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** An integer from 0 to 2³¹ − 1. */
  integer(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  bytes(part: Uint8Array): void {
    this.#reserve(part.length);
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
  }

  get length(): number {
    return this.#length;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) {
      return;
    }
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Throws `Truncated` where the bytes end too early, and `BadValue` where a value is out of range. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #path: string;
  #at = 0;

  /** `path` names the file in errors. */
  constructor(bytes: Uint8Array, path: string) {
    this.#bytes = bytes;
    this.#path = path;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) {
      throw this.#truncated(1);
    }
    this.#at++;
    return value;
  }

  integer(): number {
    const start = this.#at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const part = this.byte();
      value += (part & 0x7f) * 2 ** shift;
      if (part < 0x80) {
        return this.#inRange(value, 0x7fff_ffff, start);
      }
    }
    throw this.bad('The number is too long.', start);
  }

  /** An integer of at most `most`. */
  integerUpTo(most: number): number {
    const start = this.#at;
    return this.#inRange(this.integer(), most, start);
  }

  /** A view of the next bytes. */
  bytes(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#at) {
      throw this.#truncated(count);
    }
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  expectEnd(): void {
    if (this.#at < this.#bytes.length) {
      throw this.bad('There are bytes after the end.', this.#at);
    }
  }

  bad(message: string, byteOffset = this.#at): AmbryError {
    const place = { byteOffset, path: this.#path };
    return new AmbryError('BadValue', `${this.#path}: ${message}`, place);
  }

  #inRange(value: number, most: number, at: number): number {
    if (value <= most) {
      return value;
    }
    throw this.bad(`${value} is out of range. The most is ${most}.`, at);
  }

  #truncated(count: number): AmbryError {
    const message = `${this.#path} ends at byte ${this.#bytes.length}, where ${count} more are needed.`;
    return new AmbryError('Truncated', message, { byteOffset: this.#at, path: this.#path });
  }
}

// The elements that are open, with their scopes. An element takes 12 bytes, because a page may open one with each tag.

/** Elements with a scope of their own: an end tag in them closes nothing outside. */
const frameElements = new Set(
  'table td th caption template foreignobject desc title mi mo mn ms mtext annotation-xml'.split(
    ' ',
  ),
);
/** A new list item closes the one before through these only. */
const notBarriers = new Set(['div', 'address']);
const fields = 3;

export class OpenElements {
  /** For each element: its name's number, the element of the same name below it, and the next barrier at or below. */
  #data = new Int32Array(64 * fields);
  #length = 0;
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** The innermost element of each name. */
  readonly #innermost: number[] = [];
  /** The innermost elements with a scope, outermost first. */
  readonly #frames: number[] = [];
  readonly #onPop: (name: string, index: number) => void;

  /** `onPop` is called after an element was closed. */
  constructor(onPop: (name: string, index: number) => void) {
    this.#onPop = onPop;
  }

  get length(): number {
    return this.#length;
  }

  /** The name of the innermost element. */
  get top(): string {
    return this.#nameAt(this.#length - 1);
  }

  /** The name of the innermost element with a scope, and its index. */
  get frame(): string {
    return this.#nameAt(this.frameIndex);
  }
  get frameIndex(): number {
    return this.#frames.at(-1) ?? -1;
  }

  /** The index of the scope around the innermost one. */
  get outerFrameIndex(): number {
    return this.#frames.at(-2) ?? -1;
  }

  /** The next element above `div` and `address`. */
  get barrier(): { readonly name: string; readonly index: number } {
    const index = this.#length === 0 ? -1 : this.#field(this.#length - 1, 2);
    return { name: this.#nameAt(index), index };
  }

  /** The index of the innermost element of this name, or -1. */
  find(name: string): number {
    return this.#innermost[this.#numberOf(name)] ?? -1;
  }

  /** The index of the innermost element of this name within the innermost scope, or -1. The element that has the scope
   *  is part of it. */
  findInScope(name: string): number {
    const index = this.find(name);
    return index >= this.frameIndex ? index : -1;
  }

  push(name: string): void {
    const at = this.#length * fields;
    if (at === this.#data.length) {
      this.#grow();
    }
    const index = this.#length++;
    const number = this.#numberOf(name);
    this.#data[at] = number;
    this.#data[at + 1] = this.#innermost[number] ?? -1;
    const below = index === 0 ? -1 : this.#field(index - 1, 2);
    this.#data[at + 2] = notBarriers.has(name) ? below : index;
    this.#innermost[number] = index;
    if (frameElements.has(name)) {
      this.#frames.push(index);
    }
  }

  /** Closes elements until `length` are left. */
  cutTo(length: number): void {
    while (this.#length > length) {
      const index = --this.#length;
      const number = this.#field(index, 0);
      this.#innermost[number] = this.#field(index, 1);
      if (this.#frames.at(-1) === index) {
        this.#frames.pop();
      }
      this.#onPop(this.#names[number] ?? '', index);
    }
  }

  #nameAt(index: number): string {
    return index < 0 ? '' : (this.#names[this.#field(index, 0)] ?? '');
  }

  #field(index: number, field: number): number {
    return this.#data[index * fields + field] ?? -1;
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) {
      return known;
    }
    const number = this.#names.length;
    this.#names.push(name);
    this.#numbers.set(name, number);
    this.#innermost.push(-1);
    return number;
  }

  #grow(): void {
    const larger = new Int32Array(this.#data.length * 2);
    larger.set(this.#data);
    this.#data = larger;
  }
}

// Shows one answer as Markdown while it is written. Blocks that stay the same keep their elements.

import type { Block } from './document.ts';
import { prettyJson } from './pretty-json.ts';
import { MarkdownReader } from './reader.ts';
import { blockElement, headingOffset } from './render.ts';

const reader = new MarkdownReader();

export class MarkdownView {
  readonly #host: HTMLElement;
  #wanted: string | undefined;
  #isReading = false;
  /** The text cannot be read, nor will a longer one. */
  #isPlain = false;
  /** What each element shows, as JSON. */
  #shown: string[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  show(text: string): void {
    if (text === this.#wanted) {
      return;
    }
    if (this.#wanted === undefined || !text.startsWith(this.#wanted)) {
      this.#isPlain = false;
    }
    this.#wanted = text;
    this.#host.setAttribute('aria-busy', 'true');
    if (this.#isPlain) {
      this.#showPlain();
    } else if (!this.#isReading) {
      void this.#read();
    }
  }

  /** Reads the wanted text until no newer one has come. */
  async #read(): Promise<void> {
    this.#isReading = true;
    for (let text: string | undefined; text !== this.#wanted; ) {
      text = this.#wanted ?? '';
      const json = prettyJson(text);
      if (json !== null) {
        this.#replace([{ kind: 'code', text: json, language: 'json' }]);
        continue;
      }
      const blocks = await reader.read(text);
      if (blocks === null && this.#wanted?.startsWith(text)) {
        this.#isPlain = true;
        this.#showPlain();
        break;
      }
      if (blocks !== null) {
        this.#replace(blocks);
      }
    }
    this.#isReading = false;
    this.#host.removeAttribute('aria-busy');
  }

  #showPlain(): void {
    this.#shown = [];
    this.#host.removeAttribute('aria-busy');
    this.#host.classList.remove('markdown');
    this.#host.textContent = this.#wanted ?? '';
  }

  #replace(blocks: readonly Block[]): void {
    const headings = headingOffset(blocks);
    const keys = blocks.map((block) => JSON.stringify([headings, block]));
    if (this.#shown.length === 0) {
      this.#host.replaceChildren();
      this.#host.classList.add('markdown');
    }
    let same = 0;
    while (same < keys.length && keys[same] === this.#shown[same]) {
      same += 1;
    }
    for (const rest of [...this.#host.children].slice(same)) {
      rest.remove();
    }
    this.#host.append(...blocks.slice(same).map((block) => blockElement(block, headings)));
    this.#shown = keys;
  }
}

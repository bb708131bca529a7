// The text of a formula in MathML: its TeX source if it has it, else the signs that are shown.

const maxUnits = 1 << 16;
/** What Wikipedia puts around each formula. */
const displayStyle = /^\{\\(?:display|text)style\s+([\s\S]*)\}$/;

export class MathText {
  /** The source that an attribute states. */
  readonly #stated: string;
  #shown = '';
  #tex = '';
  #annotation: 'tex' | 'other' | undefined;

  constructor(stated: string) {
    this.#stated = stated;
  }

  enter(name: string, encoding: string): void {
    if (name === 'annotation') {
      this.#annotation = /tex/i.test(encoding) ? 'tex' : 'other';
    } else if (name === 'annotation-xml') {
      this.#annotation = 'other';
    }
  }

  leave(name: string): void {
    if (name === 'annotation' || name === 'annotation-xml') {
      this.#annotation = undefined;
    }
  }

  append(text: string): void {
    if (this.#annotation === 'tex' && this.#tex.length < maxUnits) {
      this.#tex += text;
    } else if (this.#annotation === undefined && this.#shown.length < maxUnits) {
      this.#shown += ` ${text.trim()}`;
    }
  }

  get text(): string {
    const source = (this.#tex.trim() || this.#stated).trim();
    return (source.replace(displayStyle, '$1') || this.#shown).replace(/\s+/g, ' ').trim();
  }
}

/** The formulas of a page. Those of KaTeX are there twice: as MathML, and as they are shown. */
export class Formulas {
  #open: MathText | undefined;
  /** Whether the element of KaTeX that is open has had its formula. */
  #isRead = false;

  /** The formula that is open. */
  get open(): MathText | undefined {
    return this.#open;
  }

  start(stated: string): void {
    this.#open = new MathText(stated);
  }

  /** Returns the text of the formula that ends. */
  end(): string {
    const text = this.#open?.text ?? '';
    this.#open = undefined;
    this.#isRead = true;
    return text;
  }

  /** Whether an element of these classes shows a formula that was read. */
  isShownAgain(classes: string): boolean {
    const names = classes.split(/\s+/);
    if (names.includes('katex')) {
      this.#isRead = false;
    }
    return this.#isRead && names.includes('katex-html');
  }

  /** Whether an element shows a formula that is nowhere else. */
  isOnlyShown(classes: string): boolean {
    return !this.#isRead && /(?:^|\s)katex-html(?:\s|$)/.test(classes);
  }
}

// Reads the HTML of a page, tag by tag, so that a large page takes the memory of its text only. Nothing in it is run.
import { Parser } from 'htmlparser2';
import { checkLimit } from '../../shared/limits.ts';
import {
  anchorElements,
  blockElements,
  isHeading,
  regions,
  surroundingRoles,
  surroundings,
} from './elements.ts';
import { type PageContent, type PageSection, sectionText } from './page-content.ts';
import { type Attributes, type FilterCapture, PageFacts, shortened } from './page-facts.ts';
import { PageText } from './page-text.ts';
import type { Matcher } from './selectors.ts';
import { Visibility } from './visibility.ts';

/** Between two chunks the work can be aborted. */
const chunkLength = 256 * 1024;
const mostWeight = 10;
/** Elements whose text is no part of the word beside it. */
const spacedElements: ReadonlySet<string> = new Set(['math', 'button']);

/** An element that is open. */
interface Frame {
  readonly name: string;
  readonly region: number;
  readonly weight: number;
  readonly isSkipped: boolean;
  readonly isLabelled: boolean;
  readonly isPre: boolean;
  readonly isHeading: boolean;
  readonly captures: readonly FilterCapture[];
  /** The id, until a heading has taken it. */
  id: string;
}

const outside: Frame = {
  name: '',
  region: regions.body,
  weight: 1,
  isSkipped: false,
  isLabelled: false,
  isPre: false,
  isHeading: false,
  captures: [],
  id: '',
};

/** Which elements are the content, as if they had `data-ambry-body`, and which are left out. */
export interface PageRules {
  readonly isContent: Matcher;
  readonly isIgnored: Matcher;
  /** A page without such an element asks not to be found. */
  readonly isRequired?: Matcher | undefined;
  /** Whether what images show is read, as `alt` says it. */
  readonly altTexts?: boolean | undefined;
}

/** A script that leads elsewhere, as the pages of some generators for old addresses have it. */
const leadsAway =
  /^[\s;]*(?:(?:window|document|self|top)\.)*location(?:(?:\.href)?\s*=(?!=)|\.(?:replace|assign)\()/;
/** Such a page has hardly more text than a link. */
const mostOfRedirect = 200;

const noRules: PageRules = { isContent: () => false, isIgnored: () => false };

/** `path` names the page in errors. Throws `LimitExceeded` for elements in each other without an end. */
export function readPage(
  html: string,
  path: string,
  signal?: AbortSignal,
  rules = noRules,
): PageContent {
  const reader = new PageReader(path, rules, new Visibility(html));
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  for (let at = 0; at < html.length; at += chunkLength) {
    signal?.throwIfAborted();
    parser.write(html.slice(at, at + chunkLength));
  }
  parser.end();
  return reader.content();
}

class PageReader {
  readonly #path: string;
  readonly #rules: PageRules;
  readonly #facts = new PageFacts();
  readonly #text = new PageText();
  readonly #visibility: Visibility;
  readonly #frames: Frame[] = [];
  readonly #captures = new Set<FilterCapture>();
  #title = '';
  #leadsAway = false;
  #hasRequired: boolean;

  constructor(path: string, rules: PageRules, visibility: Visibility) {
    this.#path = path;
    this.#visibility = visibility;
    this.#rules = rules;
    this.#hasRequired = rules.isRequired === undefined;
  }

  open(name: string, attributes: Attributes): void {
    const above = this.#frames.at(-1) ?? outside;
    const captures = above.isSkipped ? [] : this.#facts.read(name, attributes);
    this.#hasRequired ||= this.#rules.isRequired?.(name, attributes) === true;
    const isSkipped = this.#isSkipped(name, attributes, above);
    const frame = frameOf(name, attributes, above, captures, isSkipped, this.#rules);
    this.#frames.push(frame);
    checkLimit('pageDepth', this.#frames.length, this.#path);
    for (const capture of captures) {
      this.#captures.add(capture);
    }
    if (frame.isSkipped) {
      return;
    }
    if (frame.isHeading || blockElements.has(name)) {
      this.#text.endBlock();
    }
    this.#text.place(frame.region, frame.weight, frame.isPre);
    if (name === 'br') {
      this.#text.add(frame.isPre ? '\n' : ' ');
    }
    if (this.#rules.altTexts && name === 'img' && attributes['alt']) {
      this.#text.add(` ${attributes['alt']} `);
    }
    if (spacedElements.has(name) || (name === 'sup' && this.#text.endsInWord())) {
      this.#text.add(' ');
    }
    if (name === 'a') {
      this.#nameHeading(attributes['id'] ?? attributes['name']);
    }
  }

  text(text: string): void {
    const frame = this.#frames.at(-1) ?? outside;
    if (frame.isSkipped) {
      this.#leadsAway ||= frame.name === 'script' && leadsAway.test(text);
      return;
    }
    if (frame.name === 'title') {
      this.#title += text;
    } else if (frame.name !== 'html' && frame.name !== 'head') {
      this.#text.add(text);
      for (const capture of this.#captures) {
        capture.text += text;
      }
    }
  }

  close(name: string): void {
    const frame = this.#frames.pop();
    if (!frame) {
      return;
    }
    if (name === 'title' && !frame.isSkipped) {
      this.#endTitle();
    }
    for (const capture of frame.captures) {
      this.#captures.delete(capture);
      this.#facts.addFilter(capture.name, capture.text);
    }
    if (!frame.isSkipped) {
      if (frame.isHeading) {
        this.#endHeading(frame);
      } else if (blockElements.has(name)) {
        if (name === 'dt') {
          this.#text.name(frame.id);
        }
        this.#text.endBlock();
      } else if (name === 'td' || name === 'th' || spacedElements.has(name)) {
        this.#text.add(' ');
      }
    }
    const { region, weight, isPre } = this.#frames.at(-1) ?? outside;
    this.#text.place(region, weight, isPre);
  }

  content(): PageContent {
    this.#text.endBlock();
    const { title, description, language, canonical, isHidden, isRedirect, filters } = this.#facts;
    const sections = this.#text.sections();
    const byName = [...filters].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      title: title || sections.find(({ heading }) => heading)?.heading || '',
      description,
      language,
      canonical,
      isHidden: isHidden || !this.#hasRequired,
      isRedirect: isRedirect || (this.#leadsAway && lengthOf(sections) < mostOfRedirect),
      sections,
      filters: Object.fromEntries(byName.map(([name, values]) => [name, [...values].sort()])),
    };
  }

  #isSkipped(name: string, attributes: Attributes, above: Frame): boolean {
    const isHidden = this.#visibility.isSkipped(name, attributes, this.#frames);
    return above.isSkipped || isHidden || this.#rules.isIgnored(name, attributes);
  }

  /** The first title counts. */
  #endTitle(): void {
    this.#facts.title ||= shortened(this.#title);
    this.#title = '';
  }

  /** A link in a heading may have the id for it. */
  #nameHeading(id: string | undefined): void {
    const heading = this.#frames.findLast((frame) => frame.isHeading);
    if (heading && id) {
      heading.id ||= id;
    }
  }

  /** The id of a heading, or of an element close around it whose id no heading has. */
  #endHeading(heading: Frame): void {
    const holder = heading.id
      ? heading
      : this.#frames.slice(-2).findLast(({ name, id }) => id !== '' && anchorElements.has(name));
    this.#text.endHeading(holder?.id ?? '');
    if (holder) {
      holder.id = '';
    }
  }
}

const lengthOf = (sections: readonly PageSection[]): number =>
  sections.reduce((sum, section) => sum + sectionText(section).length, 0);

function frameOf(
  name: string,
  attributes: Attributes,
  above: Frame,
  captures: readonly FilterCapture[],
  isSkipped: boolean,
  rules: PageRules,
): Frame {
  const region = regionOf(name, attributes, above.region);
  return {
    name,
    region: rules.isContent(name, attributes) ? region | regions.marked : region,
    weight: weightOf(attributes['data-ambry-weight'], above.weight),
    isSkipped,
    isLabelled: (attributes['aria-label'] ?? '').trim() !== '',
    isPre: above.isPre || name === 'pre',
    isHeading: isHeading(name) || attributes['role'] === 'heading',
    captures,
    id: attributes['id'] ?? '',
  };
}

function regionOf(name: string, attributes: Attributes, above: number): number {
  const role = attributes['role'] ?? '';
  let region = above;
  if ('data-ambry-body' in attributes) {
    region |= regions.marked;
  }
  if (name === 'main') {
    region |= regions.main;
  }
  if (role === 'main') {
    region |= regions.roleMain;
  }
  if (name === 'article') {
    region |= regions.article;
  }
  if (surroundings.has(name) || surroundingRoles.has(role)) {
    region &= ~regions.body;
  }
  return region;
}

/** A weight that is no number above 0 and up to 10 does not count. */
function weightOf(stated: string | undefined, above: number): number {
  const weight = Number(stated);
  const isWeight =
    stated !== undefined && stated.trim() !== '' && weight > 0 && weight <= mostWeight;
  return isWeight ? weight : above;
}

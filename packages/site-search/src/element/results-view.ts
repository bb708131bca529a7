// Shows the pages of an answer as options of a list, each with its best sections.
import type { Excerpt, PageHit, SectionHit } from '../client/base/types.ts';
import { type Child, make } from './dom.ts';
import { icon } from './icons.ts';

/** A result that can be chosen. */
export interface Choice {
  readonly element: HTMLAnchorElement;
  readonly page: PageHit;
  /** Undefined for the page itself. */
  readonly section: SectionHit | undefined;
}

/** The results with the elements that show them. */
export function showResults(
  list: HTMLElement,
  pages: readonly PageHit[],
  siteRoot: string,
): Choice[] {
  const choices: Choice[] = [];
  const add = (page: PageHit, section: SectionHit | undefined, ...children: Child[]) => {
    const element = option(choices.length, page, section, children);
    choices.push({ element, page, section });
    return element;
  };
  const groups = pages.map((page) => {
    const path = pathOf(page.url, siteRoot);
    const name = page.title || path;
    const [lead, sections] = leadOf(page);
    const head = add(
      page,
      undefined,
      make('span', { class: 'title', part: 'title' }, name),
      ' ',
      make('span', { class: 'path', part: 'path', dir: 'ltr' }, path),
      ' ',
      lead && excerptView(lead),
    );
    const rest = sections.map((section) =>
      add(
        page,
        section,
        icon('section', 'section-icon'),
        make('span', { class: 'heading', part: 'heading' }, section.heading),
        ' ',
        excerptView(section.excerpt),
      ),
    );
    const facts = {
      role: 'group',
      class: 'result',
      part: 'result',
      'aria-label': name,
      // A result in another script has its own direction.
      dir: 'auto',
      lang: page.language,
    };
    return make('div', facts, head, ...rest);
  });
  list.replaceChildren(...groups);
  return choices;
}

/** The excerpt of the page itself, and the sections with a heading of their own. */
function leadOf({
  title,
  excerpt,
  sections,
}: PageHit): [Excerpt | undefined, readonly SectionHit[]] {
  const lead = sections.find(({ heading }) => heading === title);
  const others = sections.filter((section) => section !== lead);
  return [others.length === 0 ? excerpt : lead?.excerpt, others];
}

function option(
  place: number,
  page: PageHit,
  section: SectionHit | undefined,
  children: readonly Child[],
): HTMLAnchorElement {
  const kind = section ? 'section' : 'page';
  const facts = {
    role: 'option',
    id: `option-${place}`,
    class: `option ${kind}`,
    part: `option ${kind}`,
    href: (section ?? page).url,
    tabindex: '-1',
    'aria-selected': 'false',
  };
  return make('a', facts, ...children);
}

/** The words of the query are marked. */
function excerptView({ text, highlights, isCutBefore, isCutAfter }: Excerpt): HTMLElement {
  const children: Child[] = [isCutBefore ? '… ' : undefined];
  let at = 0;
  for (const [start, end] of highlights) {
    children.push(text.slice(at, start), make('mark', { part: 'mark' }, text.slice(start, end)));
    at = end;
  }
  children.push(text.slice(at), isCutAfter ? ' …' : undefined);
  return make('span', { class: 'excerpt', part: 'excerpt' }, ...children);
}

/** The address below that of the site, for people: `guide › lamps`. */
export function pathOf(url: string, siteRoot: string): string {
  if (!URL.canParse(url)) {
    return url;
  }
  const { pathname, host } = new URL(url);
  const root = URL.canParse(siteRoot) ? new URL(siteRoot).pathname.replace(/[^/]*$/, '') : '/';
  const below = pathname.startsWith(root) ? pathname.slice(root.length) : pathname;
  const names = below
    .replace(/\.x?html?$/i, '')
    .split('/')
    .filter(Boolean);
  return names.map(decoded).join(' › ') || host;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

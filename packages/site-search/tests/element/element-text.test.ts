// What the panel of a site's search shows of pages: marks that turn a line around are visible.
// @vitest-environment node
import { beforeAll, expect, test, vi } from 'vitest';
import type { PageHit } from '../../src/client/base/types.ts';

/** As much of a document as the views use. */
class FakeElement {
  readonly attributes = new Map<string, string>();
  readonly children: (FakeElement | string)[] = [];
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value);
  }
  removeAttribute(name: string) {
    this.attributes.delete(name);
  }
  append(...children: (FakeElement | string)[]) {
    this.children.push(...children);
  }
  replaceChildren(...children: (FakeElement | string)[]) {
    this.children.splice(0, this.children.length, ...children);
  }
  get textContent(): string {
    return this.children.map((c) => (typeof c === 'string' ? c : c.textContent)).join('');
  }
  set textContent(text: string) {
    this.replaceChildren(text);
  }
}

beforeAll(() => {
  const createElement = () => new FakeElement();
  vi.stubGlobal('document', { createElement, createElementNS: createElement });
  return () => vi.unstubAllGlobals();
});

const turned = 'a\u202eb\u2066c';
const excerpt = {
  text: `see ${turned}`,
  highlights: [[4, 6]],
  isCutBefore: false,
  isCutAfter: false,
};
const hit = {
  url: 'https://site.example/%E2%80%AEx.html',
  title: `T${turned}`,
  language: 'en',
  excerpt,
  sections: [
    { url: 'https://site.example/#x', heading: `H${turned}`, anchor: 'x', excerpt },
    { url: 'https://site.example/#y', heading: 'עברית (2)', anchor: 'y', excerpt },
  ],
} as unknown as PageHit;

test('results', async () => {
  const { showResults } = await import('../../src/element/results-view.ts');
  const list = new FakeElement();
  showResults(list as unknown as HTMLElement, [hit], 'https://site.example/');
  const text = list.textContent;
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  for (const part of ['Ta\\u202eb\\u2066c', 'Ha\\u202eb\\u2066c', '\\u202ex', 'עברית (2)']) {
    expect(text).toContain(part);
  }
  const [group] = list.children as FakeElement[];
  expect(group?.attributes.get('aria-label')).toBe('Ta\\u202eb\\u2066c');
  const [head] = group?.children as FakeElement[];
  expect(head?.attributes.get('href')).toBe(hit.url);
});

test('messages', async () => {
  const { make, setText } = await import('../../src/element/dom.ts');
  const element = make('p', { title: turned }, turned);
  setText(element, turned);
  expect(element.textContent).toBe('a\\u202eb\\u2066c');
});

// What a page reads from its address, and what it writes there. Anyone can make a link, so most cases are hostile.
import { describe, expect, it, test } from 'vitest';
import { chatParameters } from '../../../../web/demo/chat/session/chat-link.ts';
import {
  asLinked,
  contactLine,
  linkedModel,
  modelUrl,
} from '../../../../web/demo/shared/page-address/linked-model.ts';
import {
  choice,
  list,
  number,
  type Parameters,
  readLink,
  text,
  textAsItIs,
  writeLink,
} from '../../../../web/demo/shared/page-address/parameters.ts';

interface Link {
  readonly word: string;
  readonly lines: string;
  readonly mode: 'a' | 'b';
  readonly seed: number | null;
  readonly part: number;
  readonly names: readonly string[];
}

const parameters: Parameters<Link> = {
  word: text('word', 10, 'winter'),
  lines: textAsItIs('lines', 20),
  mode: choice<'a' | 'b'>('mode', ['a', 'b'], 'a'),
  seed: number<number | null>('seed', null, { min: 0, max: 99, whole: true }),
  part: number('part', 0.5 as number, { min: 0, max: 1 }),
  names: list('name', { maxCount: 3, maxLength: 5 }),
};
const empty = readLink('', parameters);

describe('the parameters of an address', () => {
  it('come back as they were written', () => {
    const link: Link = {
      word: 'a+b & ü',
      lines: ' one\n\ttwo ',
      mode: 'b',
      seed: 0,
      part: 0.25,
      names: ['x', 'y z'],
    };
    expect(readLink(writeLink('', parameters, link), parameters)).toEqual(link);
  });

  it('are left out where they are absent, and others stay', () => {
    expect(writeLink('?flavour=baseline&word=x&name=y', parameters, empty)).toBe(
      '?flavour=baseline',
    );
    expect(writeLink('', parameters, empty)).toBe('');
  });

  test.each([
    ['an unknown choice', '?mode=odd', {}],
    ['a negative number', '?seed=-1', {}],
    ['a number that is too large', '?seed=100', {}],
    ['half a seed', '?seed=1.5', {}],
    ['no number', '?seed=NaN&part=Infinity', {}],
    ['a number in another form', '?seed=0x10&part=1e-1', {}],
    ['a very long number', `?part=0.${'1'.repeat(100_000)}`, {}],
    ['an empty word', '?word=', {}],
    ['spaces only', '?word=%20%20', {}],
    ['control characters', '?word=a%00b%1Bc%07', { word: 'abc' }],
    ['bad percent escapes', '?word=%zz%', { word: '%zz%' }],
    ['bytes that are no UTF-8', '?word=%ff', { word: '\ufffd' }],
    ['a text that is too long', `?word=${'x'.repeat(100_000)}`, { word: 'x'.repeat(10) }],
    ['a cut inside a character', `?word=${'x'.repeat(9)}%F0%9F%A6%89`, { word: 'x'.repeat(9) }],
    ['a parameter that comes twice', '?word=a&word=b', { word: 'a' }],
    ['many equal names', `?${'name=a&'.repeat(10_000)}name=b`, { names: ['a'] }],
    ['names that are too long', '?name=abcdefgh&name=', { names: ['abcde'] }],
    ['the names of objects', '?__proto__=1&constructor=2', {}],
  ])('%s', (_, search, expected) => {
    expect(readLink(search, parameters)).toEqual({ ...empty, ...expected });
  });

  it('of the chat page have the limits of its fields', () => {
    const link = readLink(
      '?prompt=Hi&seed=4294967296&temperature=9&topK=1.5&maxTokens=0',
      chatParameters,
    );
    expect(link).toEqual({ ...readLink('', chatParameters), prompt: 'Hi' });
  });
});

describe('the model of a link', () => {
  const site = new URL('https://example.org/ambry/');

  test.each([
    ['https://models.example/a%20b.gguf?x=1', 'https://models.example/a%20b.gguf?x=1'],
    ['http://127.0.0.1:8000/m.weights', 'http://127.0.0.1:8000/m.weights'],
    ['models/stories.amb', 'https://example.org/ambry/models/stories.amb'],
    ['/other/m.amb', 'https://example.org/other/m.amb'],
    ['hf:owner/name@main/file.gguf', 'hf:owner/name@main/file.gguf'],
    ['HF:owner/name', 'hf:owner/name'],
  ])('%s is opened', (url, address) => {
    expect(linkedModel(url, site)).toEqual({ address });
  });

  test.each([
    ['javascript:alert(1)', 'javascript:'],
    [' JavaScript:alert(1)', 'javascript:'],
    ['java\tscript:alert(1)', 'javascript:'],
    ['data:text/html,x', 'data:'],
    ['file:///etc/passwd', 'file:'],
    ['blob:https://example.org/1', 'blob:'],
    ['ftp://example.org/m', 'ftp:'],
    ['https://', 'not valid'],
    ['https://user:secret@example.org/m', 'password'],
    [`https://example.org/${'x'.repeat(100_000)}`, 'too long'],
  ])('%.40s is refused', (url, why) => {
    const found = linkedModel(modelUrl.read([url]), site);
    expect(found?.address).toBeUndefined();
    expect(found?.problem).toContain(why);
    expect(found?.problem?.length).toBeLessThan(200);
  });

  it('is none without a url', () => {
    expect(linkedModel('', site)).toBeNull();
  });

  it('is a path in the links of the site that has it', () => {
    const address = 'https://example.org/ambry/models/stories.amb';
    expect(asLinked(address, site)).toBe('models/stories.amb');
    expect(linkedModel(asLinked(address, site), site)).toEqual({ address });
    expect(asLinked('https://example.org/ambry2/m', site)).toBe('https://example.org/ambry2/m');
  });

  it('says what is contacted for it', () => {
    expect(contactLine('https://models.example/m.gguf', site)).toContain('models.example');
    expect(contactLine('hf:owner/name', site)).toContain('hub');
    expect(contactLine('https://example.org/ambry/models/stories.amb', site)).toBe('');
    const both = contactLine('https://a.example/n.bin', site, 'https://b.example/plan.json');
    expect(both).toContain('only https://a.example/n.bin and https://b.example/plan.json');
    const own = 'https://example.org/ambry/models/digits.bin';
    expect(contactLine(own, site, 'https://b.example/plan.json')).toContain('only https://b.');
  });
});

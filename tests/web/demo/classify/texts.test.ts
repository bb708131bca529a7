// What the tasks with a text show, and what their links have.
import type { TextEntity } from 'ambry';
import { describe, expect, it } from 'vitest';
import {
  type ClassifyLink,
  classifyParameters,
  linkOf,
} from '../../../../web/demo/classify/classify-link.ts';
import { firstTexts, longestLinkText } from '../../../../web/demo/classify/state/first-texts.ts';
import { type ClassifyState, emptyState } from '../../../../web/demo/classify/state/state.ts';
import { labelNames } from '../../../../web/demo/classify/texts/label-names.ts';
import { sentenceOf } from '../../../../web/demo/classify/texts/labels-view.ts';
import { kindsOf, piecesOf, plainLabel } from '../../../../web/demo/classify/texts/marks.ts';
import { readLink, writeLink } from '../../../../web/demo/shared/page-address/parameters.ts';

describe('names of labels', () => {
  it('are languages if most labels are codes of languages', () => {
    const nameOf = labelNames(['__label__de', '__label__pt-BR', '__label__fr', '__label__zh_Hans']);
    expect(nameOf('__label__de')).toBe('German (de)');
    expect(nameOf('__label__pt-BR')).toBe('Brazilian Portuguese (pt-BR)');
    expect(nameOf('__label__xyzzy')).toBe('xyzzy');
  });

  it('are languages if half of many labels are codes that are known', () => {
    const known = ['de', 'fr', 'en', 'it', 'es'];
    expect(labelNames([...known, 'qqq', 'qqr', 'qqs'])('fr')).toBe('French (fr)');
    expect(labelNames([...known, 'not', 'a', 'code', 'x', 'y', 'z'])('fr')).toBe('fr');
    expect(labelNames(['de', 'fr', 'other'])('fr')).toBe('fr');
  });

  it('are the labels themselves otherwise, without the prefix of fastText', () => {
    const nameOf = labelNames(['__label__food', '__label__travel', 'de', '__label__']);
    expect(nameOf('__label__food')).toBe('food');
    expect(nameOf('de')).toBe('de');
    expect(nameOf('__label__')).toBe('__label__');
  });
});

const entity = (start: number, end: number, label = 'PER'): TextEntity => ({
  label,
  start,
  end,
  text: '',
  score: 1,
});

describe('marks', () => {
  it('cut a text into names and what is between them', () => {
    const found = [entity(10, 16, 'LOC'), entity(0, 3)];
    expect(piecesOf('Ada is in London!', found).map(({ text }) => text)).toEqual([
      'Ada',
      ' is in ',
      'London',
      '!',
    ]);
    expect(piecesOf('', [])).toEqual([]);
    expect(piecesOf('none', [])).toEqual([{ text: 'none' }]);
  });

  it('give the whole text back, also where names overlap or are empty', () => {
    const text = 'Ada Lovelace 😀 met Marta';
    const found = [entity(0, 12), entity(4, 12), entity(13, 15), entity(20, 20), entity(20, 25)];
    const pieces = piecesOf(text, found);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter((piece) => piece.entity)).toHaveLength(3);
  });

  it('have the kinds of a model, without the marks of places', () => {
    expect(kindsOf(['O', 'B-PER', 'I-PER', 'B-LOC', 'S-ORG', 'MISC'])).toEqual([
      'LOC',
      'MISC',
      'ORG',
      'PER',
    ]);
    expect(plainLabel('B-')).toBe('B-');
  });
});

describe('the sentence about labels', () => {
  const model = { labels: ['a', 'b'] } as never;
  const loaded = { model, name: '', builtIn: true, source: '' };
  it.each([
    [{ typed: ' ', loaded, answer: null }, 'Type a text to see its labels.'],
    [{ typed: 'x', loaded: null, answer: null }, ''],
    [{ typed: 'x', loaded, answer: { text: 'x', found: [] } }, /knows nothing of this text/],
    [
      {
        typed: 'x',
        loaded,
        answer: { text: 'x', found: [{ label: 'a', index: 0, score: 1.00001 }] },
      },
      'a, 100.0 % sure.',
    ],
  ])('%#', (part, sentence) => {
    expect(sentenceOf(part)).toMatch(sentence);
  });
});

describe('links', () => {
  const nothing: ClassifyLink = readLink('', classifyParameters);
  const stateOf = (patch: Partial<ClassifyState>): ClassifyState => ({ ...emptyState, ...patch });
  const textOf = (typed: string) => stateOf({ task: 'text', text: { ...emptyState.text, typed } });

  it('name the task and the text, but not the first text', () => {
    expect(nothing).toEqual({ task: 'picture', drawing: '', text: '', url: '', plan: '' });
    const link = linkOf(textOf('Hej & hej\nalla'), nothing);
    const search = writeLink('', classifyParameters, link);
    expect(search).toBe('?task=text&text=Hej+%26+hej%0Aalla');
    expect(readLink(search, classifyParameters)).toEqual(link);
    expect(linkOf(textOf(firstTexts.text), nothing).text).toBe('');
  });

  it('leave out a text that is too long, and examples', () => {
    expect(linkOf(textOf('a'.repeat(longestLinkText + 1)), nothing).text).toBe('');
    const learned = stateOf({ task: 'labels', tried: 'secret' });
    expect(writeLink('', classifyParameters, linkOf(learned, nothing))).toBe('?task=labels');
  });

  it('keep the model of the first address for its own task only, until one is open', () => {
    const linked: ClassifyLink = { ...nothing, task: 'names', url: 'models/a.weights' };
    const url = (task: 'text' | 'names' | 'picture') => linkOf(stateOf({ task }), linked).url;
    expect([url('names'), url('text'), url('picture')]).toEqual(['models/a.weights', '', '']);
  });

  it('take a wrong task for pictures', () => {
    expect(readLink('?task=nothing', classifyParameters).task).toBe('picture');
  });
});

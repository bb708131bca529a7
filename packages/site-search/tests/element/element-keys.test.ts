// What keys in the field do, and which ones lead to it.
import { describe, expect, test } from 'vitest';
import { type KeyState, keyAction } from '../../src/element/keys.ts';

const state = (more: Partial<KeyState> = {}): KeyState => ({
  isOpen: true,
  hasText: true,
  count: 3,
  active: undefined,
  ...more,
});

describe('a key in the field', () => {
  test.each([
    ['ArrowDown', undefined, 0],
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, undefined],
    ['ArrowUp', undefined, 2],
    ['ArrowUp', 1, 0],
    ['ArrowUp', 0, undefined],
    ['Home', 2, 0],
    ['End', 0, 2],
  ])('%s with result %s chosen moves to %s', (key, active, to) => {
    expect(keyAction(key, state({ active }))).toEqual({ kind: 'move', to });
  });

  test.each(['Home', 'End'])('%s moves in the text while no result is chosen', (key) => {
    expect(keyAction(key, state())).toBeUndefined();
  });

  test.each(['ArrowDown', 'ArrowUp'])('%s does nothing without results', (key) => {
    expect(keyAction(key, state({ count: 0 }))).toBeUndefined();
  });

  test('Down shows the results again', () => {
    expect(keyAction('ArrowDown', state({ isOpen: false }))).toEqual({ kind: 'show' });
    expect(keyAction('ArrowDown', state({ isOpen: false, hasText: false }))).toBeUndefined();
  });

  test('Enter opens the chosen result, and searches if none is', () => {
    expect(keyAction('Enter', state({ active: 1 }))).toEqual({ kind: 'open-result' });
    expect(keyAction('Enter', state())).toEqual({ kind: 'search' });
    expect(keyAction('Enter', state({ hasText: false }))).toBeUndefined();
  });

  test('Escape closes, then clears, and then is for the page', () => {
    expect(keyAction('Escape', state())).toEqual({ kind: 'close' });
    expect(keyAction('Escape', state({ isOpen: false }))).toEqual({ kind: 'clear' });
    expect(keyAction('Escape', state({ isOpen: false, hasText: false }))).toBeUndefined();
  });

  test.each(['a', 'ArrowLeft', 'Tab', ' '])('%s belongs to the field', (key) => {
    expect(keyAction(key, state({ active: 1 }))).toBeUndefined();
  });
});

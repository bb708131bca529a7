// Which keys lead to the field, on keyboards of several layouts.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { isHotkey } from '../../src/element/hotkey.ts';

beforeAll(() => {
  vi.stubGlobal('navigator', { platform: 'Linux x86_64' });
  return () => vi.unstubAllGlobals();
});

const pressed = (key: string, code: string, more: object = {}) =>
  ({ key, code, ctrlKey: true, metaKey: false, ...more }) as KeyboardEvent;

describe('Ctrl+K', () => {
  test.each([
    ['k', 'KeyK', true],
    ['K', 'KeyK', true],
    ['л', 'KeyK', true],
    ['κ', 'KeyK', true],
    // On Dvorak the letter is on another key.
    ['k', 'KeyV', true],
    ['t', 'KeyK', false],
    ['л', 'KeyL', false],
  ])('is %s on the key %s: %s', (key, code, is) => {
    expect(isHotkey(pressed(key, code), ['k'])).toBe(is);
  });

  test('is not taken with Shift or Alt', () => {
    expect(isHotkey(pressed('k', 'KeyK', { shiftKey: true }), ['k'])).toBe(false);
    expect(isHotkey(pressed('k', 'KeyK', { altKey: true }), ['k'])).toBe(false);
  });
});

// Keys that bring the reader to the field from anywhere on the page: "k" stands for Ctrl+K, or Cmd+K on a Mac, and "/" for
// itself.

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of the attribute `hotkey`, divided by spaces. */
export const hotkeysOf = (attribute: string | null): string[] =>
  (attribute ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((key) => key.length === 1);

/** For people: `⌘K`, `Ctrl K`, `/`. */
export function hotkeyLabel(key: string): string {
  if (key === '/') {
    return key;
  }
  return isApple() ? `⌘${key.toUpperCase()}` : `Ctrl ${key.toUpperCase()}`;
}

/** For `aria-keyshortcuts`. */
export const hotkeyName = (key: string): string =>
  key === '/' ? key : `${isApple() ? 'Meta' : 'Control'}+${key.toUpperCase()}`;

export function isHotkey(event: KeyboardEvent, keys: readonly string[]): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented, isComposing } = event;
  if (defaultPrevented || isComposing || altKey) {
    return false;
  }
  if (key === '/') {
    return keys.includes('/') && !ctrlKey && !metaKey && !isTyping(event);
  }
  const isHeld = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !shiftKey && keys.includes(letterOf(event));
}

/** The letter of the key. On a layout of other letters it is what the key has on a Latin one. */
function letterOf({ key, code }: KeyboardEvent): string {
  const isLatin = /^[\x20-\x7e]$/.test(key);
  return (isLatin ? key : code.replace(/^Key/, '')).toLowerCase();
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}

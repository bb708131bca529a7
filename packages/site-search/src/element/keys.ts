// What a key in the field does.

export type KeyAction =
  | { readonly kind: 'move'; readonly to: number | undefined }
  | { readonly kind: 'open-result' | 'show' | 'search' | 'close' | 'clear' };

export interface KeyState {
  readonly isOpen: boolean;
  readonly hasText: boolean;
  /** How many results can be chosen, and which one is. */
  readonly count: number;
  readonly active: number | undefined;
}

/** Undefined if the field has the key for itself. The last result is above the first one, with the field between them. */
export function keyAction(key: string, state: KeyState): KeyAction | undefined {
  const { isOpen, hasText, count, active } = state;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      if (!isOpen) {
        return hasText ? { kind: 'show' } : undefined;
      }
      return moved(count, active === undefined ? 0 : active === last ? undefined : active + 1);
    case 'ArrowUp':
      if (!isOpen) {
        return undefined;
      }
      return moved(count, active === undefined ? last : active === 0 ? undefined : active - 1);
    case 'Home':
      return isOpen && active !== undefined ? moved(count, 0) : undefined;
    case 'End':
      return isOpen && active !== undefined ? moved(count, last) : undefined;
    case 'Enter':
      if (!hasText) {
        return undefined;
      }
      return { kind: isOpen && active !== undefined ? 'open-result' : 'search' };
    case 'Escape':
      if (isOpen) {
        return { kind: 'close' };
      }
      return hasText ? { kind: 'clear' } : undefined;
    default:
      return undefined;
  }
}

const moved = (count: number, to: number | undefined): KeyAction | undefined =>
  count > 0 ? { kind: 'move', to } : undefined;

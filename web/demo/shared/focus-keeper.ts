// Gives the focus back to where it was before the user went to a part of the page that disappears, such as a message.

export interface FocusKeeper {
  /** Call it before `part` disappears. If the focus is in it, the focus goes back. */
  leave(part: Element): void;
}

const canTakeFocus = (target: HTMLElement): boolean =>
  target.isConnected && target.checkVisibility() && !target.matches(':disabled');

/** `passing` selects the parts of the page that disappear. */
export function keepFocus(passing: string): FocusKeeper {
  let last: HTMLElement | null = null;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(passing) === null) {
      last = target;
    }
  });
  return {
    leave(part) {
      if (!part.contains(document.activeElement)) {
        return;
      }
      if (last !== null && canTakeFocus(last)) {
        last.focus({ preventScroll: true });
      } else {
        focusHeading();
      }
    },
  };
}

/** The title of the page is always there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1');
  if (heading !== null) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

// Keeps the focus in its place when the element that has it disappears: a message that is dismissed, the button that cancels
// a job, or a button that hides itself.

export interface FocusKeeper {
  /** Call it before `part` disappears. If the focus is in it, it goes back to where it was before. */
  leave(part: Element): void;
}

const canTakeFocus = (target: HTMLElement): boolean => target.getClientRects().length > 0;

/** Headings take the focus only from scripts. */
function focusHeading(part: Element | null): void {
  const heading = [part, document.body]
    .map((around) => around?.querySelector<HTMLElement>('h1, h2') ?? null)
    .find((found) => found !== null && canTakeFocus(found));
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

/** The element that had the focus last, and its part of the page. */
interface Place {
  readonly target: HTMLElement;
  readonly part: Element | null;
}

const placeOf = (target: HTMLElement): Place => ({
  target,
  part: target.closest('section, article, aside, main'),
});

/** When the focused element disappears, the focus goes to the title of its part of the page. */
function guardFocus(): void {
  let place: Place | null = null;
  let isWaiting = false;
  document.addEventListener('focusin', ({ target }) => {
    place = target instanceof HTMLElement ? placeOf(target) : null;
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // The user has left it, and wants no focus there.
    if (relatedTarget === null && target === place?.target && canTakeFocus(place.target)) {
      place = null;
    }
  });
  const check = (): void => {
    isWaiting = false;
    const now = document.activeElement;
    const isLost = now === null || now === document.body || now === place?.target;
    if (place !== null && isLost && !canTakeFocus(place.target)) {
      focusHeading(place.part);
    }
  };
  new MutationObserver(() => {
    if (place !== null && !isWaiting) {
      isWaiting = true;
      requestAnimationFrame(check);
    }
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['hidden'] });
}

/** `passing` selects the parts of the page that come and go. */
export function keepFocus(passing: string): FocusKeeper {
  let last: Place | null = null;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(passing) === null) {
      last = placeOf(target);
    }
  });
  guardFocus();
  return {
    leave(part) {
      if (!part.contains(document.activeElement)) {
        return;
      }
      if (last !== null && canTakeFocus(last.target)) {
        last.target.focus({ preventScroll: true });
      } else {
        focusHeading(last?.part ?? null);
      }
    },
  };
}

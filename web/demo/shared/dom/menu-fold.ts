// Folds whose content drops down over the page (styles/menu.css).

import { closeWhenLeft, type OpenMenu } from './close-menus.ts';

const openFolds = (): OpenMenu[] =>
  [...document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')].map((fold) => ({
    element: fold,
    opener: fold.querySelector('summary'),
    close: () => {
      fold.open = false;
    },
  }));

export function mountMenuFolds(): void {
  closeWhenLeft(openFolds);
}

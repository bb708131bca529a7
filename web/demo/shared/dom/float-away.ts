// Keeps a part of the page in view while the user has scrolled away from its place.

import { element } from './dom.ts';

/** Gives `part` the class `floating` while its place is out of view. Its room in the page stays. */
export function floatAway(part: HTMLElement): void {
  const place = element('div');
  part.before(place);
  new IntersectionObserver(([entry]) => {
    const isAway = entry?.isIntersecting === false;
    const room = isAway ? part.offsetHeight : 0;
    place.style.setProperty('height', `${room}px`);
    part.classList.toggle('floating', isAway);
  }).observe(place);
}

// The card beside the point that is looked at. Screen readers speak its text.

import { element } from '../dom/dom.ts';
import type { Point, Size } from './camera.ts';
import type { PointText } from './points.ts';

const gap = 14;
const mostCharacters = 280;

const shortened = (text: string): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).trimEnd()}…`;

export class PointCard {
  readonly element: HTMLElement;
  readonly #source = element('span', 'map-card-source');
  readonly #text = element('span', 'map-card-text');

  constructor() {
    this.element = element('p', 'map-card', this.#source, this.#text);
    this.element.setAttribute('aria-live', 'polite');
    this.element.dir = 'auto';
    this.hide();
  }

  show({ source, text }: PointText, at: Point, frame: Size): void {
    const short = shortened(text);
    if (this.#text.textContent !== short || this.#source.textContent !== source) {
      this.#source.textContent = source;
      this.#source.hidden = source === '';
      this.#text.textContent = short;
    }
    this.element.classList.add('shown');
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const right = at.x + gap + width <= frame.width;
    const x = right ? at.x + gap : Math.max(0, at.x - gap - width);
    const y = Math.min(Math.max(0, at.y - height / 2), Math.max(0, frame.height - height));
    this.element.style.setProperty('--x', `${x}px`);
    this.element.style.setProperty('--y', `${y}px`);
  }

  hide(): void {
    this.element.classList.remove('shown');
    this.#text.textContent = '';
    this.#source.textContent = '';
  }
}

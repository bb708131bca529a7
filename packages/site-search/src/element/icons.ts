// The icons, as paths in a square of 20.
import { setAttribute } from './dom.ts';

const paths = {
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4',
  clear: 'm5.5 5.5 9 9m0-9-9 9',
  section: 'M8 3.5 6.5 16.5m7-13L12 16.5M4 7.5h12.5M3.5 12.5H16',
  page: 'M5.5 3h6L15 6.5V17H5.5ZM11 3v4h4',
  problem: 'M10 6.5v4.2m0 2.8v.1M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Z',
  none: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4M7 9h4',
} as const;

type IconName = keyof typeof paths;

/** Screen readers do not read it. */
export function icon(name: IconName, part?: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  picture.append(path);
  for (const [key, value] of Object.entries({
    viewBox: '0 0 20 20',
    class: `icon icon-${name}`,
    part,
    'aria-hidden': 'true',
  })) {
    setAttribute(picture, key, value);
  }
  return picture;
}

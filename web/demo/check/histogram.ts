// A small picture of how the numbers of a tensor are spread.

import type { Histogram } from 'ambry';

const kSvg = 'http://www.w3.org/2000/svg';
const kHeight = 24;

/** Heights go by the square root, so that thin tails stay visible. */
export function histogramPath({ counts }: Histogram): string {
  const most = Math.max(1, ...counts);
  return counts
    .map((count, i) => {
      if (count === 0) return '';
      const height = Math.max(1, Math.sqrt(count / most) * kHeight);
      return `M${i} ${kHeight}v${-height.toFixed(1)}h1V${kHeight}`;
    })
    .join('');
}

export function histogramView(histogram: Histogram): SVGSVGElement {
  const picture = document.createElementNS(kSvg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${histogram.counts.length} ${kHeight}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  picture.setAttribute('class', 'histogram');
  picture.setAttribute('role', 'img');
  picture.setAttribute(
    'aria-label',
    `Spread of the values from ${histogram.low.toPrecision(3)} to ${histogram.high.toPrecision(3)}`,
  );
  const path = document.createElementNS(kSvg, 'path');
  path.setAttribute('d', histogramPath(histogram));
  picture.append(path);
  return picture;
}

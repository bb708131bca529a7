// A small picture of how the numbers of a tensor are spread.

import type { Histogram } from 'ambry';
import { svg } from '../shared/svg.ts';

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
  const { low, high, counts } = histogram;
  return svg(
    'svg',
    {
      viewBox: `0 0 ${counts.length} ${kHeight}`,
      preserveAspectRatio: 'none',
      class: 'histogram',
      role: 'img',
      'aria-label': `Spread of the values from ${low.toPrecision(3)} to ${high.toPrecision(3)}`,
    },
    svg('path', { d: histogramPath(histogram) }),
  );
}

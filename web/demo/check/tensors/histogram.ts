// Draws the histogram of the values of a tensor. The drawing is as wide as its place.

import type { Histogram } from 'ambry';
import { svg } from '../../shared/dom/svg.ts';

const chartHeight = 24;

/** Heights are square roots of counts, so that thin tails stay visible. */
export function histogramPath({ counts }: Histogram): string {
  const max = Math.max(1, ...counts);
  return counts
    .map((count, i) => {
      if (count === 0) {
        return '';
      }
      const height = Math.max(1, Math.sqrt(count / max) * chartHeight);
      return `M${i} ${chartHeight}v${-height.toFixed(1)}h1V${chartHeight}`;
    })
    .join('');
}

/** Where zero is on the axis, in bins; null if it is not on the axis. */
export function zeroOf({ low, high, counts }: Histogram): number | null {
  return low < 0 && high > 0 ? (-low / (high - low)) * counts.length : null;
}

export function histogramView(histogram: Histogram): SVGSVGElement {
  const { low, high, counts } = histogram;
  const zero = zeroOf(histogram);
  const axis =
    zero === null ? [] : [svg('path', { d: `M${zero} 0V${chartHeight}`, class: 'zero' })];
  return svg(
    'svg',
    {
      viewBox: `0 0 ${counts.length} ${chartHeight}`,
      preserveAspectRatio: 'none',
      class: 'histogram',
      role: 'img',
      'aria-label': `Histogram of the values from ${low.toPrecision(3)} to ${high.toPrecision(3)}`,
    },
    svg('path', { d: histogramPath(histogram) }),
    ...axis,
  );
}

// The colours of a map, from the style sheet: they follow the theme, and the colours that a user forces.

import type { PackedColour } from './point-raster.ts';

/** The style sheet has so many colours of groups; more groups use them again. */
export const groupColours = 8;

export interface MapColours {
  /** The colours of the groups. */
  readonly dots: readonly PackedColour[];
  /** The colours of the groups while other points stand out. */
  readonly fadedDots: readonly PackedColour[];
  /** The colours of the groups on a map where points always stand out. */
  readonly softDots: readonly PackedColour[];
  readonly sheet: string;
  readonly ink: string;
  readonly hit: string;
  readonly hitInk: string;
  readonly query: string;
  readonly font: string;
}

/** How much is left of the colour of a point while others stand out. */
const fadedShare = 0.28;
const softShare = 0.6;

type Channels = readonly [red: number, green: number, blue: number];

/** Reads colours by painting them, so that they may be the names of colours of the system. */
function channelsOf(colours: readonly string[]): Channels[] {
  const canvas = new OffscreenCanvas(Math.max(1, colours.length), 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) {
    return colours.map(() => [128, 128, 128]);
  }
  colours.forEach((colour, i) => {
    context.fillStyle = colour;
    context.fillRect(i, 0, 1, 1);
  });
  const { data } = context.getImageData(0, 0, canvas.width, 1);
  return colours.map((_, i) => [data[4 * i] ?? 0, data[4 * i + 1] ?? 0, data[4 * i + 2] ?? 0]);
}

const packed = ([red, green, blue]: Channels): PackedColour => (blue << 16) | (green << 8) | red;

function mixed(colour: Channels, other: Channels, share: number): Channels {
  const mix = (i: 0 | 1 | 2): number => Math.round(colour[i] * share + other[i] * (1 - share));
  return [mix(0), mix(1), mix(2)];
}

export function mapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const value = (name: string): string => style.getPropertyValue(`--map-${name}`).trim();
  const names = Array.from({ length: groupColours }, (_, i) => value(`group-${i + 1}`));
  const groups = channelsOf(names);
  const [sheet] = channelsOf([value('sheet')]) as [Channels];
  return {
    dots: groups.map(packed),
    fadedDots: groups.map((colour) => packed(mixed(colour, sheet, fadedShare))),
    softDots: groups.map((colour) => packed(mixed(colour, sheet, softShare))),
    sheet: value('sheet'),
    ink: value('ink'),
    hit: value('hit'),
    hitInk: value('hit-ink'),
    query: value('query'),
    font: style.fontFamily,
  };
}

/** Calls `changed` when the colours may have changed. */
export function watchColours(changed: () => void): void {
  matchMedia('(forced-colors: active)').addEventListener('change', changed);
  new MutationObserver(changed).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}

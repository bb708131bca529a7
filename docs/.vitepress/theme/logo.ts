// The sign of the demo pages (web/demo/shell/header.html).
import { h, type VNode } from 'vue';

export const logo = (): VNode =>
  h(
    'svg',
    {
      class: 'logo-sign',
      viewBox: '0 0 24 32',
      width: 18,
      height: 24,
      fill: 'none',
      stroke: 'currentColor',
      'aria-hidden': 'true',
      focusable: 'false',
    },
    [
      h('path', { d: 'M1.5 31V12a10.5 10.5 0 0 1 21 0v19z', 'stroke-width': 2 }),
      h('path', { d: 'M5.5 31V13a6.5 6.5 0 0 1 13 0v18M5.5 21.5h13', 'stroke-width': 1.4 }),
    ],
  );

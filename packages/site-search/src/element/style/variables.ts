// The colours and sizes that a page may set. Each has the name `--ambry-search-…`.

/** In light and in dark. */
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  text: ['#1a1f29', '#e8eaef'],
  muted: ['#5b6472', '#a0a8b6'],
  background: ['#ffffff', '#171a21'],
  field: ['#f4f5f7', '#21252e'],
  border: ['#d8dce3', '#353b47'],
  accent: ['#2f5bd8', '#8fb0ff'],
  active: ['#e9effd', '#26314d'],
  mark: ['#fdeaa8', '#5d4a10'],
  'mark-text': ['#3d2f00', '#ffe9a8'],
  shadow: ['rgb(16 24 40 / 16%)', 'rgb(0 0 0 / 55%)'],
};

const sizes: Readonly<Record<string, string>> = {
  font: 'inherit',
  'font-size': '1rem',
  radius: '0.625rem',
  height: '2.5rem',
};

const declare = (name: string, value: string) =>
  `--_${name}: var(--ambry-search-${name}, ${value});`;

const inScheme = (place: 0 | 1): string =>
  Object.entries(colours)
    .map(([name, values]) => declare(name, values[place]))
    .join('\n');

const inBoth = Object.entries(colours)
  .map(([name, [light, dark]]) => declare(name, `light-dark(${light}, ${dark})`))
  .join('\n');

/** `light-dark` follows the property `color-scheme`, so that a page with a switch needs no colours of its own. */
export const variables: string = `
:host {
  color-scheme: light dark;
  ${Object.entries(sizes)
    .map(([name, value]) => declare(name, value))
    .join('\n')}
  ${inScheme(0)}
}
@media (prefers-color-scheme: dark) { :host { ${inScheme(1)} } }
@supports (color: light-dark(#000, #fff)) { :host { ${inBoth} } }
`;

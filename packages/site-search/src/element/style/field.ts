// The field.
export const field = `
:host {
  display: block;
  font-family: var(--_font);
  font-size: var(--_font-size);
  line-height: 1.5;
  color: var(--_text);
  text-align: start;
  /* A header often sets these for its own links. */
  font-weight: 400;
  font-style: normal;
  letter-spacing: normal;
  text-indent: 0;
  text-transform: none;
  white-space: normal;
}
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
[hidden] { display: none !important; }
p { margin: 0; }
button, input, kbd { font: inherit; color: inherit; }
.icon {
  inline-size: 1.25em;
  block-size: 1.25em;
  flex: none;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.6;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.box {
  position: relative;
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-block-size: var(--_height);
  padding-inline: 0.75rem 0.375rem;
  background: var(--_field);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  overflow: clip;
  cursor: text;
  transition: border-color 120ms, background-color 120ms, box-shadow 120ms;
}
.box > .icon { color: var(--_muted); }
.box:hover { border-color: var(--_muted); }
.box:focus-within {
  background: var(--_background);
  border-color: var(--_accent);
  box-shadow: 0 0 0 3px color-mix(in srgb, var(--_accent) 28%, transparent);
}
.input {
  flex: 1;
  min-inline-size: 0;
  padding: 0.375rem 0;
  border: 0;
  outline: 0;
  background: none;
  text-overflow: ellipsis;
}
.input::placeholder { color: var(--_muted); opacity: 1; }
.clear {
  display: grid;
  place-items: center;
  inline-size: 1.75rem;
  block-size: 1.75rem;
  padding: 0;
  border: 0;
  border-radius: calc(var(--_radius) * 0.6);
  background: none;
  color: var(--_muted);
  cursor: pointer;
}
.clear .icon { inline-size: 1.1em; block-size: 1.1em; }
.clear:hover { color: var(--_text); background: var(--_active); }
kbd {
  display: inline-block;
  padding: 0.05rem 0.375rem;
  border: 1px solid var(--_border);
  border-radius: 0.3125rem;
  background: var(--_background);
  color: var(--_muted);
  font-size: 0.75em;
  line-height: 1.5;
  white-space: nowrap;
}
.hotkey { margin-inline-end: 0.375rem; }
.box:focus-within .hotkey { visibility: hidden; }
@media (hover: none) { .hotkey { display: none; } }
.bar {
  position: absolute;
  inset: auto 0 0 0;
  block-size: 2px;
  background: var(--_accent);
  transform: scaleX(var(--_share, 0));
  transform-origin: 0 50%;
  opacity: 0.75;
  transition: transform 200ms linear;
}
:host(:dir(rtl)) .bar { transform-origin: 100% 50%; }
.bar.unknown { inline-size: 30%; transform: none; animation: slide 1.4s ease-in-out infinite; }
@keyframes slide { from { inset-inline-start: -30%; } to { inset-inline-start: 100%; } }
.unseen {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.root { position: relative; }
`;

// Phones, colours that the reader forces, and less motion.
export const media = `
@media (max-width: 40rem) {
  /* Phones zoom in on fields with a smaller text. */
  .input { font-size: max(1rem, var(--_font-size)); }
  .filter-row { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; padding: 2px; margin: -2px; }
  .filter-row > * { flex: none; }
  .filter { padding-block: 0.375rem; }
  .option { --_pad: 0.625rem; }
  .section .excerpt { -webkit-line-clamp: 2; }
  .path { display: block; margin-inline-start: 0; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before { animation-duration: 0s !important; transition: none !important; }
  .bar.unknown { inline-size: 100%; animation: none; opacity: 0.35; }
}
@media (forced-colors: active) {
  .box:focus-within { outline: 2px solid Highlight; outline-offset: 1px; }
  .option[aria-selected='true'] { outline: 2px solid Highlight; outline-offset: -2px; }
  .filter[aria-pressed='true'] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .excerpt, .path { color: CanvasText; }
  mark { forced-color-adjust: none; background: Mark; color: MarkText; }
  .bar { forced-color-adjust: none; background: Highlight; }
}
`;

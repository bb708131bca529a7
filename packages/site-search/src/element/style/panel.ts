// The panel: filters, results, messages and the line below.
export const panel = `
.panel {
  display: none;
  position: fixed;
  inset: auto;
  margin: 0;
  padding: 0;
  flex-direction: column;
  overflow: clip;
  z-index: var(--ambry-search-z-index, 1000);
  background: var(--_background);
  color: var(--_text);
  border: 1px solid var(--_border);
  border-radius: calc(var(--_radius) * 1.3);
  box-shadow: 0 1px 2px var(--_shadow), 0 16px 40px -8px var(--_shadow);
  font: inherit;
  animation: appear 120ms ease-out;
}
.panel.open { display: flex; }
@keyframes appear { from { opacity: 0; transform: translateY(-4px); } }
.scroll {
  flex: 1 1 auto;
  min-block-size: 0;
  overflow-y: auto;
  overscroll-behavior: contain;
  padding: 0.375rem;
  scrollbar-width: thin;
}
.list[aria-busy='true'] { opacity: 0.7; transition: opacity 120ms 200ms; }
.result + .result { margin-block-start: 0.125rem; padding-block-start: 0.125rem; border-block-start: 1px solid color-mix(in srgb, var(--_border) 55%, transparent); }
.option {
  display: block;
  --_pad: 0.5rem;
  padding: var(--_pad) 0.75rem;
  border-radius: var(--_radius);
  color: inherit;
  text-decoration: none;
  scroll-margin: 0.375rem;
  overflow-wrap: anywhere;
}
.option:hover { background: color-mix(in srgb, var(--_active) 55%, transparent); }
.option[aria-selected='true'] { background: var(--_active); box-shadow: inset 0 0 0 1.5px var(--_accent); }
.option:focus-visible, .link:focus-visible, .button:focus-visible, .more:focus-visible, .filter:focus-visible,
.clear:focus-visible, summary:focus-visible {
  outline: 2px solid var(--_accent);
  outline-offset: 1px;
}
.title { font-weight: 600; }
.path { color: var(--_muted); font-size: 0.8125em; margin-inline-start: 0.375rem; unicode-bidi: isolate; }
.excerpt {
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  overflow: hidden;
  color: var(--_muted);
  font-size: 0.875em;
}
.section {
  position: relative;
  margin-inline-start: 0.75rem;
  --_pad: 0.375rem;
  padding-inline-start: 1.875rem;
}
.section::before {
  content: '';
  position: absolute;
  inset-block: 0;
  inset-inline-start: 0;
  border-inline-start: 1px solid var(--_border);
}
.section .icon { position: absolute; inset-inline-start: 0.625rem; inset-block-start: calc(var(--_pad) + 0.25em); inline-size: 0.875em; block-size: 0.875em; color: var(--_muted); }
.heading { font-weight: 500; font-size: 0.9375em; }
.section .excerpt { -webkit-line-clamp: 1; }
mark {
  padding-inline: 0.1em;
  margin-inline: -0.1em;
  border-radius: 0.2em;
  background: var(--_mark);
  color: var(--_mark-text);
  font-weight: 500;
}
.foot {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 0.25rem 1rem;
  padding: 0.5rem 1rem;
  border-block-start: 1px solid var(--_border);
  color: var(--_muted);
  font-size: 0.8125em;
}
.status { display: flex; flex-wrap: wrap; gap: 0 1rem; min-block-size: 1.5em; font-variant-numeric: tabular-nums; }
.keys { display: none; flex: none; gap: 0.75rem; white-space: nowrap; }
.has-hints .keys { display: flex; }
.foot:has(.status:empty) { display: none; }
@media (hover: none), (max-width: 40rem) { .has-hints .keys { display: none; } }
.more, .button {
  padding: 0.375rem 0.875rem;
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  background: var(--_background);
  font-size: 0.875em;
  font-weight: 500;
  cursor: pointer;
}
.more { display: block; margin: 0.5rem auto; }
.more:hover, .button:hover { background: var(--_active); border-color: var(--_accent); }
.link { padding: 0; border: 0; background: none; color: var(--_accent); text-decoration: underline; text-underline-offset: 0.2em; cursor: pointer; }
.message { padding: 1.5rem 1rem; text-align: center; }
.message-title { font-weight: 600; overflow-wrap: anywhere; }
.message .icon { display: block; inline-size: 1.75rem; block-size: 1.75rem; margin: 0 auto 0.5rem; color: var(--_muted); }
.hint, .details, .searching { color: var(--_muted); font-size: 0.875em; }
.searching { animation: late 0s 250ms both; }
@keyframes late { from { opacity: 0; } }
.actions { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem; margin-block: 0.875rem; }
.details p { margin-block-start: 0.375rem; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.filters { flex: none; padding: 0.625rem 1rem; border-block-end: 1px solid var(--_border); font-size: 0.8125em; }
.filter-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem; }
.filter-row + .filter-row, .clear-filters { margin-block-start: 0.5rem; }
.filter-name { color: var(--_muted); margin-inline-end: 0.25rem; }
.filter {
  padding: 0.125rem 0.625rem;
  border: 1px solid var(--_border);
  border-radius: 99rem;
  background: none;
  cursor: pointer;
}
.filter:hover { border-color: var(--_accent); }
.filter .count { color: var(--_muted); font-variant-numeric: tabular-nums; }
.filter[aria-pressed='true'] { background: var(--_active); border-color: var(--_accent); color: var(--_accent); }
.filter[aria-pressed='true'] .count { color: inherit; }
`;

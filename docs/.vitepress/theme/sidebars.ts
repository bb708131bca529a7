// Which groups of the sidebar are open on which page. Where a group below the guides has the page, the guides are folded, so that the
// link of the page is in sight.
import type { DefaultTheme } from 'vitepress';

type Group = DefaultTheme.SidebarItem;

/** The groups by the beginning of the page's path. */
export function sidebarsOf(groups: readonly Group[]): Record<string, Group[]> {
  const [start] = groups;
  const folded = groups.map((group) => ({ ...group, collapsed: group !== start }));
  const below = groups.filter(({ collapsed }) => collapsed === true);
  const links = below.flatMap(({ items = [] }) => items.map(({ link = '' }) => link));
  return { '/': [...groups], ...Object.fromEntries(links.map((link) => [link, folded])) };
}

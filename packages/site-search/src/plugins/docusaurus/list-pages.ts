// Pages of Docusaurus that list other pages with the beginnings of their texts. They are no results of their own.

/** A route, with what it shows: `@theme/BlogListPage`. */
export interface Route {
  readonly path: string;
  readonly component: unknown;
  readonly routes?: readonly Route[];
}

const lists =
  /^@theme\/(Blog(List|Archive|TagsList|TagsPosts)Page|Doc(TagsList|TagDocList)Page|SearchPage)$/;
const authors = /^@theme\/Blog\/Pages\/BlogAuthors/;

/** The files of these pages, by path in the built site, however the site writes addresses. */
export function listPages(routes: readonly Route[], baseUrl: string): Set<string> {
  const files = new Set<string>();
  const visit = ({ path, component, routes: below = [] }: Route): void => {
    const name = String(component);
    if (lists.test(name) || authors.test(name)) {
      const place = path.slice(path.startsWith(baseUrl) ? baseUrl.length : 1).replace(/\/$/, '');
      files.add(place === '' ? 'index.html' : `${place}.html`);
      if (place !== '') {
        files.add(`${place}/index.html`);
      }
    }
    below.forEach(visit);
  };
  routes.forEach(visit);
  return files;
}

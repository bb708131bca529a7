// What stands in the place of the search box in dev servers, which have no index.

export const devNote = 'Search works in the built site';

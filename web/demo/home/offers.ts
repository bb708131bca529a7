// The buttons of the pages that open what was found, the best page first.

import {
  checkOffer,
  convertOffer,
  type PageOffer,
  useOfFile,
  useOfModel,
} from '../shared/recognize/file-pages.ts';
import type { FileKind, ModelKind } from '../shared/recognize/kinds.ts';

/** For a model that runs, if it is of a known kind. */
export function modelOffers(kind: ModelKind | null): PageOffer[] {
  const use = kind === null ? null : useOfModel(kind);
  if (use === null || use.page === checkOffer.page) {
    return [checkOffer, convertOffer];
  }
  const { page, label, also } = use;
  return [{ page, label }, ...(also === undefined ? [] : [also]), checkOffer, convertOffer];
}

/** For a damaged model. */
export const damagedOffers: readonly PageOffer[] = [
  { page: checkOffer.page, label: 'See what is wrong' },
];

/** For files that are no models; none if no page opens them. */
export function offersFor(kind: FileKind, count = 1): PageOffer[] {
  const use = useOfFile(kind);
  if (use === null) {
    return [];
  }
  const { page, label, several = label } = use;
  return [{ page, label: count === 1 ? label : several }];
}

// All filters by name, and how one is applied.
import { fail } from '../base/errors.ts';
import { bind, type Machine } from '../methods/machine.ts';
import type { Named, Value } from '../values/types.ts';
import type { Filters } from './filter.ts';
import { htmlFilters } from './html-filters.ts';
import { jsonFilters } from './json-filter.ts';
import { listFilters } from './list-filters.ts';
import { numberFilters } from './number-filters.ts';
import { orderFilters } from './order-filters.ts';
import { prettyFilters } from './pretty-filter.ts';
import { selectFilters } from './select-filters.ts';
import { textFilters } from './text-filters.ts';
import { wrapFilters } from './wrap-filter.ts';

const filters: Filters = {
  ...htmlFilters,
  ...jsonFilters,
  ...listFilters,
  ...numberFilters,
  ...orderFilters,
  ...prettyFilters,
  ...selectFilters,
  ...textFilters,
  ...wrapFilters,
};

/** Draws lots. */
const refused = ['random'];

export const isFilter = (name: string): boolean =>
  Object.hasOwn(filters, name) || refused.includes(name);

export function applyFilter(
  name: string,
  args: readonly Value[],
  named: Named,
  machine: Machine,
): Value {
  if (refused.includes(name)) {
    fail(`the filter '${name}' is not supported`);
  }
  const found = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (!found) {
    return fail(`No filter named '${name}'.`);
  }
  const [value = null, ...more] = args;
  if (found.parameters === null) {
    return found.run(value, more, machine, named);
  }
  return found.run(value, bind(name, found.parameters, more, named), machine, named);
}

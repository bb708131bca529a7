// The usual spelling of format names.

import { formatLabels } from 'ambry/tables';

const labels: Readonly<Record<string, string>> = formatLabels;

export const formatName = (id: string): string => labels[id] ?? id;

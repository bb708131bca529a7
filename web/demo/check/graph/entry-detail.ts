// Describes the chosen entry of a graph: a group by its operators, a node by its attributes, inputs and outputs.

import type { OnnxNode } from 'ambry';
import { formatAmount, formatBytes, formatCount } from '../../shared/base/format.ts';
import { jsonLine } from '../../shared/base/json-text.ts';
import { button, element, fillFacts } from '../../shared/dom/dom.ts';
import { shapeText } from '../tensors/tensor-rows.ts';
import { type Entry, isGroup, operatorsText } from './entries/groups.ts';
import type { TensorsByName } from './entries/tensors-by-name.ts';

const mostOperators = 40;
const mostValues = 30;

interface DetailActions {
  readonly tensors: TensorsByName;
  /** The types that the file states of values. */
  readonly types: ReadonlyMap<string, string>;
  /** Shows a tensor in the table. */
  readonly show: (index: number) => void;
  /** Chooses the node that makes this value. Undefined for what no listed node makes. */
  readonly makerOf: (value: string) => (() => void) | undefined;
}

export function entryDetail(entry: Entry, actions: DetailActions): HTMLElement[] {
  return isGroup(entry)
    ? [element('h4', '', entry.title), groupFacts(entry.nodes)]
    : nodeDetail(entry.node, actions);
}

function groupFacts(nodes: readonly OnnxNode[]): HTMLElement {
  const facts = element('dl', 'facts');
  fillFacts(facts, [
    ['Nodes', formatCount(nodes.length)],
    ['Operators', operatorsText(nodes, mostOperators)],
  ]);
  return facts;
}

function nodeDetail(node: OnnxNode, actions: DetailActions): HTMLElement[] {
  const { name, op, domain = '', byteOffset, attributes, inputs, outputs } = node;
  const facts = element('dl', 'facts');
  const stated = Object.entries(attributes).map(
    ([key, value]) => [key, typeof value === 'string' ? value : jsonLine(value)] as const,
  );
  fillFacts(facts, [
    ['Operator', domain === '' ? op : `${op} of ${domain}`],
    ...(name === '' ? [] : [['Name', name] as const]),
    ['Byte', formatCount(byteOffset)],
    ...stated,
  ]);
  return [
    element('h4', '', op),
    facts,
    ...valueList('Inputs', inputs, actions),
    ...valueList('Outputs', outputs, actions),
  ];
}

function valueList(
  title: string,
  values: readonly string[],
  actions: DetailActions,
): HTMLElement[] {
  if (values.length === 0) {
    return [];
  }
  const items = values.slice(0, mostValues).map((value) => valueItem(value, actions));
  const left = values.length - items.length;
  const rest = left > 0 ? [element('p', 'note', `and ${formatAmount(left, 'more value')}`)] : [];
  return [element('h5', '', title), element('ul', 'part-tensors', ...items), ...rest];
}

/** A tensor leads to its row in the table, and a value to the node that makes it. */
function valueItem(value: string, { tensors, types, show, makerOf }: DetailActions): HTMLLIElement {
  const [index, tensor] = tensors.get(value) ?? [];
  if (index !== undefined && tensor !== undefined) {
    const { dtype, shape, bytes } = tensor;
    const note = `${dtype}, ${shapeText(shape)}, ${formatBytes(bytes)}`;
    return element(
      'li',
      '',
      button(value, 'quiet part-tensor', () => show(index)),
      element('span', 'note', note),
    );
  }
  const choose = makerOf(value);
  const shown = value === '' ? 'left out' : value;
  const type = types.get(value);
  return element(
    'li',
    '',
    choose ? button(shown, 'quiet part-tensor', choose) : element('span', 'graph-value', shown),
    ...(type === undefined ? [] : [element('span', 'note', type)]),
  );
}

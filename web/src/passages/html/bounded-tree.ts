// The tree that a parser makes, with less memory and with a limit of its elements. Formatting that is not closed is made again for every paragraph, so the
// elements may be the square of the tags.
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type ParserOptions } from 'parse5';
import { AmbryError } from '../../errors.ts';

/** A page of any length may have so many elements, and a longer page one for each code unit. */
const freeElements = 100_000;

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

/** Many elements have no attributes, and share this list. */
const noAttributes: Element['attrs'] = [];

/** The default tree with less memory. Of the place of a node it keeps the line, and a list of children begins with room
 *  for one: engines give a list that grows room for seventeen. */
const lightTree: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  createElement: (tagName, namespace, attrs) =>
    defaultTreeAdapter.createElement(tagName, namespace, attrs.length === 0 ? noAttributes : attrs),
  adoptAttributes: (element, attrs) => {
    if (element.attrs === noAttributes) element.attrs = [];
    defaultTreeAdapter.adoptAttributes(element, attrs);
  },
  appendChild: (parent, node) => {
    if (parent.childNodes.length > 0) parent.childNodes.push(node);
    else parent.childNodes = [node];
    node.parentNode = parent;
  },
  insertText: (parent, text) => {
    const last = parent.childNodes.at(-1);
    if (last && defaultTreeAdapter.isTextNode(last)) last.value += text;
    else lightTree.appendChild(parent, defaultTreeAdapter.createTextNode(text));
  },
  setNodeSourceCodeLocation: (node, location) => {
    const placed = node as PlacedNode;
    placed.line ??= location?.startLine;
  },
  // The parser keeps no end of a node that has no place.
  getNodeSourceCodeLocation: () => undefined,
  updateNodeSourceCodeLocation: () => {},
};

type PlacedNode = Node & { line?: number | undefined };

/** The line of a node in its text. Counts from 1. */
export function lineOf(node: Node): number {
  return (node as PlacedNode).line ?? 1;
}

/** For one text. Scripts are taken for text, as in browsers that run none. */
export function parserOptions(text: string): ParserOptions<DefaultTreeAdapterMap> {
  const most = freeElements + text.length;
  let made = 0;
  const createElement: typeof lightTree.createElement = (...args) => {
    made++;
    if (made > most) throw tooManyElements(most);
    return lightTree.createElement(...args);
  };
  return {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
    treeAdapter: { ...lightTree, createElement },
  };
}

function tooManyElements(most: number): AmbryError {
  const message = `The HTML makes more than ${most} elements. Close its <b>, <font> and other formatting tags.`;
  return new AmbryError('LimitExceeded', message);
}

// The graph of an ONNX file, as `inspect` with `{graph: true}` gives it.

/** An input or an output of the graph, or a value between nodes. */
export interface OnnxValue {
  readonly name: string;
  /** ONNX’s name of the type of the elements, such as `float` or `int64`. Null for what is no tensor, or has no stated type. */
  readonly dtype: string | null;
  /** Each extent is a number, the name of one that is not fixed, or null. Null without a stated shape. */
  readonly shape: readonly (number | string | null)[] | null;
}

/** A call of an operator. */
export interface OnnxNode {
  /** May be empty. Exporters write the path of the module in it: `/encoder/layer.0/attention/self/query/MatMul`. */
  readonly name: string;
  /** The operator, such as `MatMul`. */
  readonly op: string;
  /** Absent for the operators of ONNX itself. */
  readonly domain?: string;
  /** Names of values. An empty one is left out by the node. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Where the node begins in the file. */
  readonly byteOffset: number;
  /** Numbers, texts and lists of them as they are; tensors and graphs in words. A long list ends with "…". */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The main graph of an ONNX file. */
export interface OnnxGraph {
  readonly name: string;
  /** The versions of the operators, by domain. */
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** Values between nodes whose types the file states. Of more than 4,096 the first are listed. */
  readonly values: readonly OnnxValue[];
  /** How often each operator is called, in all graphs and functions, the most frequent first. */
  readonly operators: readonly {
    readonly domain: string;
    readonly name: string;
    readonly count: number;
  }[];
  /** Operators that the file makes of nodes. */
  readonly functions: readonly {
    readonly domain: string;
    readonly name: string;
    readonly nodes: number;
  }[];
  readonly nodeCount: number;
  /** In the order of the file. Of more than 20,000 nodes the first are listed. */
  readonly nodes: readonly OnnxNode[];
}

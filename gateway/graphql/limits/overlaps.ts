import {
  Kind,
  parse,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { MAX_TOKENS } from './limits.js';

/** Maximum pairs of selections with the same response name. Validation compares each pair, in about a microsecond. */
const MAX_PAIRS = 25_000;

/** Maximum fields that are counted, where each fragment counts at each use. */
const MAX_FIELDS = 20_000;

/** Whether validation would take long, because many selections share a response name. False for a text that is no document. */
export function hasManyOverlaps(text: string): boolean {
  const document = parsed(text);
  return document !== undefined && new OverlapCounter(document).isAboveLimit();
}

function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text, { maxTokens: MAX_TOKENS, noLocation: true });
  } catch {
    return undefined; // reported when the document is read
  }
}

class OverlapCounter {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private pairs = 0;
  private fields = 0;

  constructor(private readonly document: DocumentNode) {
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
  }

  isAboveLimit(): boolean {
    const open = this.document.definitions.flatMap((definition) =>
      'selectionSet' in definition && definition.selectionSet ? [[definition.selectionSet]] : [],
    );
    for (let sets = open.pop(); sets; sets = open.pop()) {
      for (const nodes of this.fieldsOf(sets)) {
        this.pairs += (nodes.length * (nodes.length - 1)) / 2;
        const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
        if (below.length > 0) open.push(below);
      }
      if (this.pairs > MAX_PAIRS || this.fields > MAX_FIELDS) return true;
    }
    return false;
  }

  /** Returns the fields of sets at one place, by their response name. */
  private fieldsOf(sets: readonly SelectionSetNode[]): Iterable<readonly FieldNode[]> {
    const byKey = new Map<string, FieldNode[]>();
    const seen = new Set<string>();
    for (const set of sets) this.collect(set, byKey, seen);
    return byKey.values();
  }

  private collect(set: SelectionSetNode, byKey: Map<string, FieldNode[]>, seen: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        this.fields += 1;
        const key = (selection.alias ?? selection.name).value;
        const nodes = byKey.get(key);
        if (nodes) nodes.push(selection);
        else byKey.set(key, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) this.collect(selection.selectionSet, byKey, seen);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = this.fragments.get(selection.name.value);
        if (fragment) this.collect(fragment.selectionSet, byKey, seen);
      }
    }
  }
}

import { Kind, type FieldNode } from 'graphql';

/** Prefix of all names that the engine generates. */
const RESERVED = 'archipelago_';

/** Prefix of a renamed alias during execution. Clients may not use it. */
export const CLASH_PREFIX = `${RESERVED}alias_`;

/**
 * Renames the aliases of a client that the planner could confuse with fields that it adds itself: keys and required
 * fields. The planner adds them under their own names and with their own arguments.
 */
export class Aliases {
  /** @param fieldNames all fields of the supergraph */
  constructor(private readonly fieldNames: ReadonlySet<string>) {}

  /** Returns the field with another alias if its own may clash. */
  rename(node: FieldNode): FieldNode {
    if (!this.mayClash(node)) return node;
    return { ...node, alias: { kind: Kind.NAME, value: CLASH_PREFIX + (node.alias ?? node.name).value } };
  }

  private mayClash({ alias, name }: FieldNode): boolean {
    if (!alias || alias.value === name.value) return false;
    return this.fieldNames.has(alias.value) || alias.value.startsWith('__') || alias.value.startsWith(RESERVED);
  }
}

/** Returns the name that the client gave to a field. */
export function originalName(name: string): string {
  return name.startsWith(CLASH_PREFIX) ? name.slice(CLASH_PREFIX.length) : name;
}

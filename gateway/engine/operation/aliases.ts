import { isInterfaceType, isObjectType, type Schema } from '@apollo/federation-internals';
import { Kind, type FieldNode } from 'graphql';

/** Prefix of all names that the engine makes. */
const RESERVED = 'archipelago_';

/** Prefix of a renamed alias during execution. Clients may not use it. */
export const CLASH_PREFIX = `${RESERVED}alias_`;

/**
 * Renames the aliases of a client that the planner could confuse with fields that it adds itself: keys and required
 * fields. The planner adds them under their own names and with their own arguments.
 */
export class Aliases {
  private readonly fields = new Set<string>();

  constructor(supergraph: Schema) {
    for (const type of supergraph.types()) {
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const { name } of type.fields()) this.fields.add(name);
    }
  }

  /** Returns the field with another alias if its own may clash. */
  rename(node: FieldNode): FieldNode {
    if (!this.mayClash(node)) return node;
    return { ...node, alias: { kind: Kind.NAME, value: CLASH_PREFIX + (node.alias ?? node.name).value } };
  }

  private mayClash({ alias, name }: FieldNode): boolean {
    if (!alias || alias.value === name.value) return false;
    return this.fields.has(alias.value) || alias.value.startsWith('__') || alias.value.startsWith(RESERVED);
  }
}

/** Returns the name that the client gave to a field. */
export function originalName(name: string): string {
  return name.startsWith(CLASH_PREFIX) ? name.slice(CLASH_PREFIX.length) : name;
}

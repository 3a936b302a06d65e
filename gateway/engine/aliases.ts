import { isInterfaceType, isObjectType, type Schema } from '@apollo/federation-internals';
import { Kind, type FieldNode } from 'graphql';

/** Prefix of a renamed alias during execution. Clients may not use it. */
export const CLASH_PREFIX = 'archipelago_alias_';

/**
 * Renames the aliases of a client that the planner could confuse with fields that it adds itself: keys and required
 * fields. The planner adds them under their own names and with their own arguments.
 */
export class Aliases {
  private readonly fields = new Set<string>();
  /** Fields that a `@requires` wants. */
  private readonly required = new Set<string>();
  /** Fields that a `@requires` wants with arguments. */
  private readonly fieldsWithArguments = new Set<string>();

  constructor(supergraph: Schema) {
    for (const type of supergraph.types()) {
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of type.fields()) {
        this.fields.add(field.name);
        for (const directive of field.appliedDirectivesOf('join__field'))
          this.addRequired(directive.arguments().requires);
      }
    }
  }

  /** Returns the field with another alias if its own may clash. */
  rename(node: FieldNode): FieldNode {
    if (!this.mayClash(node)) return node;
    return { ...node, alias: { kind: Kind.NAME, value: CLASH_PREFIX + (node.alias ?? node.name).value } };
  }

  /** @param requires the selection of a `@requires` */
  private addRequired(requires: unknown): void {
    if (typeof requires !== 'string') return;
    for (const [name] of requires.matchAll(/\w+/g)) this.required.add(name);
    for (const [, name = ''] of requires.matchAll(/(\w+)\s*\(/g)) this.fieldsWithArguments.add(name);
  }

  private mayClash({ alias, name, arguments: given = [] }: FieldNode): boolean {
    if (this.fieldsWithArguments.has(name.value)) return true;
    if (given.length > 0 && this.required.has(name.value)) return true;
    if (!alias || alias.value === name.value) return false;
    return this.fields.has(alias.value) || alias.value.startsWith('__') || alias.value.startsWith(CLASH_PREFIX);
  }
}

/** Returns the name that the client gave to a field. */
export function originalName(name: string): string {
  return name.startsWith(CLASH_PREFIX) ? name.slice(CLASH_PREFIX.length) : name;
}

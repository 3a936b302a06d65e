import { isTypeDefinitionNode, type ConstDirectiveNode, type DocumentNode, type FieldDefinitionNode } from 'graphql';
import { fieldsTypes, isJoin, namedType, textOf, type FieldsTypes } from './join.js';

/** The types that fields of one subgraph lead to, in this subgraph. */
export class Reach {
  private readonly types: FieldsTypes;
  /** The types that an object of an interface or a union can have. */
  private readonly members = new Map<string, string[]>();
  private readonly names = new Set<string>();

  constructor(
    document: DocumentNode,
    private readonly graph: string,
  ) {
    this.types = fieldsTypes(document);
    for (const node of document.definitions)
      if (isTypeDefinitionNode(node))
        for (const directive of node.directives ?? []) this.addMember(node.name.value, directive);
  }

  has(type: string): boolean {
    return this.names.has(type);
  }

  /** Adds what these fields of a type lead to. */
  addFields(type: string, isNeeded: (field: string) => boolean): void {
    for (const field of this.types.get(type)?.fields ?? [])
      if (isNeeded(field.name.value) && isIn(field, this.graph)) this.addType(this.typeOf(field));
  }

  private addType(type: string): void {
    const members = this.members.get(type) ?? [];
    if (this.names.has(type) || (!this.types.has(type) && members.length === 0)) return;
    this.names.add(type);
    for (const member of members) this.addType(member);
    this.addFields(type, () => true);
  }

  /** Returns the type of a field in the subgraph, which can be narrower than the type in the supergraph. */
  private typeOf({ type, directives = [] }: FieldDefinitionNode): string {
    const own = directives.find((directive) => isJoin(directive, 'field') && isOf(directive, this.graph));
    return (own && textOf(own, 'type')?.replaceAll(/[[\]!]/g, '')) ?? namedType(type);
  }

  private addMember(type: string, directive: ConstDirectiveNode): void {
    if (!isOf(directive, this.graph)) return;
    const [whole, member] = [textOf(directive, 'interface') ?? type, textOf(directive, 'member') ?? type];
    if (whole !== member) this.members.set(whole, [...(this.members.get(whole) ?? []), member]);
  }
}

/** Whether the directive is about the subgraph. */
export function isOf(directive: ConstDirectiveNode, graph: string): boolean {
  return textOf(directive, 'graph') === graph;
}

/** Whether the subgraph has a field of a type that it has. */
function isIn({ directives = [] }: FieldDefinitionNode, graph: string): boolean {
  const joins = directives.filter((directive) => isJoin(directive, 'field'));
  return joins.length === 0 || joins.some((directive) => isOf(directive, graph));
}

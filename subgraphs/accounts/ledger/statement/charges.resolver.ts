import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { chargesOf } from './charges.actions.js';
import type { Statement } from './statement.js';
import { statementRange } from './statement.rules.js';
import { StatementSubject } from './subject.js';

@Resolver(() => StatementSubject)
export class ChargesResolver {
  @FieldResolver()
  async charges(
    @Root() root: { readonly uuid: string } | { readonly id: string },
    @Arg('first', () => Int, { nullable: true, description: 'Number of lines: default 50, maximum 200.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Cursor: the `next` of the previous page.' })
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Statement> {
    const subject = 'uuid' in root ? root.uuid : root.id;
    return (await chargesOf(context, { subject, ...statementRange(first, after) })) ?? { lines: [], next: null };
  }
}

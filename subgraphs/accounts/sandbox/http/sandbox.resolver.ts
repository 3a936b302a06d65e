import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql';
import { requirePlatform } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { handleSandboxRequest } from './sandbox.actions.js';
import { SandboxAnswer } from './sandbox.js';

@Resolver()
export class SandboxResolver {
  @Directive('@inaccessible')
  @Mutation(() => SandboxAnswer, {
    description: 'Passes a public HTTP request to the sandbox payment processor; called by the gateway.',
  })
  async exchangeWithSandbox(
    @Arg('method', () => String, { description: 'The HTTP method.' }) method: string,
    @Arg('path', () => String, { description: 'The path below /sandbox.' }) path: string,
    @Arg('query', () => String, { description: 'The query string, without the question mark.' }) query: string,
    @Arg('authorization', () => String, { nullable: true, description: 'The value of this header.' })
    authorization: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: 'The value of this header.' })
    idempotencyKey: string | null,
    @Arg('body', () => String, { description: 'The request body, a form.' }) body: string,
    @Ctx() context: AccountsContext,
  ): Promise<SandboxAnswer> {
    requirePlatform(context.viewer);
    const headers = { authorization: authorization ?? undefined, 'idempotency-key': idempotencyKey ?? undefined };
    const answer = await handleSandboxRequest(context, { method, path, query, headers, body });
    return { ...answer, headers: Object.entries(answer.headers).map(([name, value]) => ({ name, value })) };
  }
}

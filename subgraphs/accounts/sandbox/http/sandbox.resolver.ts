import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql';
import { requirePlatform } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { handleSandboxRequest } from './sandbox.actions.js';
import { SandboxAnswer } from './sandbox.js';

@Resolver()
export class SandboxResolver {
  @Directive('@inaccessible')
  @Mutation(() => SandboxAnswer, {
    description: 'Hands a request that came to the public door to the sandbox payment processor; asked by the gateway.',
  })
  async exchangeWithSandbox(
    @Arg('method', () => String, { description: 'The HTTP method.' }) method: string,
    @Arg('path', () => String, { description: 'Below /sandbox.' }) path: string,
    @Arg('query', () => String, { description: 'Without the question mark.' }) query: string,
    @Arg('authorization', () => String, { nullable: true, description: 'Its header.' }) authorization: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: 'Its header.' }) idempotencyKey: string | null,
    @Arg('body', () => String, { description: 'A form, as it came.' }) body: string,
    @Ctx() context: AccountsContext,
  ): Promise<SandboxAnswer> {
    requirePlatform(context.viewer);
    const headers = { authorization: authorization ?? undefined, 'idempotency-key': idempotencyKey ?? undefined };
    const answer = await handleSandboxRequest(context, { method, path, query, headers, body });
    return { ...answer, headers: Object.entries(answer.headers).map(([name, value]) => ({ name, value })) };
  }
}

import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { confirmEmail, removeEmail, sendEmailCode } from './email.actions.js';
import { checkEmail } from './email.rules.js';

@Resolver()
export class EmailResolver {
  @Mutation(() => Boolean, {
    description:
      'Sends a confirmation code to an e-mail address; confirm it with `confirmEmail`. Limit: 5 requests per hour, else RATE_LIMITED. An address receives at most 20 codes per hour from all users; further requests succeed but send nothing. Error UNAVAILABLE.',
  })
  async setEmail(
    @Arg('email', () => String, { description: 'The e-mail address.' }) email: string,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    const { userId } = requireUser(context.viewer);
    await sendEmailCode(context, userId, checkEmail(email));
    return true;
  }

  @Mutation(() => String, {
    description:
      'Confirms the e-mail address with the code and returns the address. A code is valid for 15 minutes and 5 attempts, else BAD_REQUEST.',
  })
  confirmEmail(
    @Arg('code', () => String, { description: 'The code from the e-mail; case-insensitive.' }) code: string,
    @Ctx() context: AccountsContext,
  ): Promise<string> {
    return confirmEmail(context, requireUser(context.viewer).userId, code);
  }

  @Mutation(() => Boolean, {
    description:
      'Removes your e-mail address: nothing is sent by e-mail until another one is confirmed. Always true. A later sign-in with a social provider that has verified an address stores that one.',
  })
  async removeEmail(@Ctx() context: AccountsContext): Promise<boolean> {
    await removeEmail(context, requireUser(context.viewer).userId);
    return true;
  }
}

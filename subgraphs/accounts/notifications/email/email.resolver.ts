import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { confirmEmail, sendEmailCode } from './email.actions.js';
import { checkEmail } from './email.rules.js';

@Resolver()
export class EmailResolver {
  @Mutation(() => Boolean, {
    description:
      'Sends a code to an address, which becomes yours by `confirmEmail`. You may ask 5 times an hour, else RATE_LIMITED; an address gets at most 20 letters an hour, whoever asks, and no word of those beyond. Error UNAVAILABLE.',
  })
  async setEmail(
    @Arg('email', () => String, { description: 'The address.' }) email: string,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    const { userId } = requireUser(context.viewer);
    await sendEmailCode(context, userId, checkEmail(email));
    return true;
  }

  @Mutation(() => String, {
    description: 'Makes the address yours and answers it. The code lives 15 minutes and 5 tries, else BAD_REQUEST.',
  })
  confirmEmail(
    @Arg('code', () => String, { description: 'As it was sent; upper or lower case.' }) code: string,
    @Ctx() context: AccountsContext,
  ): Promise<string> {
    return confirmEmail(context, requireUser(context.viewer).userId, code);
  }
}

import { ArgsType, Field, Int } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';

/** How an administrator names a user. */
@ArgsType()
export class UserKeyArguments {
  @Field(() => String, { nullable: true, description: 'SS58 address of the user, network 42; or give `userId`.' })
  substrateAddress!: string | null;

  @Field(() => Int, { nullable: true, description: 'Id of the user, who may have no SS58 address.' })
  userId!: number | null;
}

/** One of the keys of a user. */
export type UserKey = { readonly substrateAddress: string } | { readonly userId: number };

/** Returns the key that was given. @throws BAD_REQUEST for none and for both */
export function userKeyOf({ substrateAddress, userId }: UserKeyArguments): UserKey {
  if (substrateAddress != null && userId == null) return { substrateAddress };
  if (userId != null && substrateAddress == null) return { userId };
  throw badRequest('Give either `substrateAddress` or `userId`.');
}

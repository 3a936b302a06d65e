/** The key of a user. */
export type UserKey = { readonly substrateAddress: string } | { readonly userId: number };

/** Returns the id of a user, or else the SS58 address, which has letters. */
export function userKeyOf(user: string): UserKey {
  return /^\d{1,10}$/.test(user) ? { userId: Number(user) } : { substrateAddress: user };
}

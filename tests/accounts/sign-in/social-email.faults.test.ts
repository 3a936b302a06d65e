import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchangeCode, issueCode } from '../../../subgraphs/accounts/sign-in/social/social-sign-in.actions.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

const NOON = new Date('2026-01-01T12:00:00Z');

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await openLedger();
}, 120_000);
afterAll(() => ledger.close());

/** Signs in with this address at the provider; returns the address of the user. */
async function signIn(subject: string, email?: string): Promise<string | undefined> {
  const identity = { issuer: 'https://issuer.example', subject, email };
  const code = await issueCode(ledger.database, { provider: 'google', identity }, NOON);
  return (await exchangeCode(ledger.database, code, NOON))?.user.email;
}

describe('a social sign-in', () => {
  it('gives the user its address, and replaces none that the user has', async () => {
    const addresses = [
      await signIn('ada'),
      await signIn('ada', 'ada@mail.example'),
      await signIn('ada', 'b@mail.example'),
    ];
    expect(addresses).toEqual(['', 'ada@mail.example', 'ada@mail.example']);
  });
});

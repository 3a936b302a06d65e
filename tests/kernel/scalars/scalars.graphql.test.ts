import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, graphql, type Json } from '../../kit/platform.js';
import { serviceToken, signIn } from '../../kit/accounts/wallet.js';

let token: string;
beforeAll(async () => {
  ({ token } = await signIn());
});

describe('a DateTimeISO', () => {
  const inVariables = (since: unknown) =>
    graphql('query ($since: DateTimeISO) { me { accountsAuditLog(since: $since) { nextCursor } } }', {
      token,
      variables: { since },
    });
  const inDocument = (since: unknown) =>
    graphql(`{ me { accountsAuditLog(since: ${JSON.stringify(since)}) { nextCursor } } }`, { token });

  it.each(['9999-12-31T23:59:59Z', '9999-12-31T23:59:59+14:00', '2026-01-31T12:00:00.123+02:00'])(
    '%s is taken',
    async (since) => {
      for (const ask of [inVariables, inDocument]) expect((await ask(since)).errors).toBeUndefined();
    },
  );

  it.each([
    ['with a zone that moves it beyond the year 9999', '9999-12-31T23:59:59-14:00'],
    ['with a zone that moves it before the year 0', '0000-01-01T00:00:00+14:00'],
    ['that is no time', 'x'.repeat(1_000)],
    ['that is a number', 7],
  ])('%s is refused with the sentence of REST', async (_, since) => {
    const rule = 'must be a time in ISO 8601, e.g. 2026-01-31T12:00:00Z.';
    for (const ask of [inVariables, inDocument])
      expect(await ask(since)).toMatchObject({ errors: [{ message: `A DateTimeISO ${rule}` }] });
    const body = { account_ss58: 'x', period_start: since, period_end: since, storage_bytes: 1 };
    const refused = await call('POST /api/billing/usage/record/', { token: await serviceToken('VALIDATOR'), body });
    expect(refused.body.error).toBe(`\`period_start\` ${rule}`);
  });
});

describe('a Decimal that is a number', () => {
  const FIELDS = '{ lowCreditLevel }';
  const inDocument = (digits: string) =>
    graphql(`mutation { updateNotificationPreferences(lowCreditLevel: ${digits}) ${FIELDS} }`, { token });
  const inVariables = async (digits: string): Promise<Json> => {
    const query = `mutation ($level: Decimal) { updateNotificationPreferences(lowCreditLevel: $level) ${FIELDS} }`;
    const rawBody = `{"query":${JSON.stringify(query)},"variables":{"level":${digits}}}`;
    return (await call('POST /graphql', { token, rawBody })).body;
  };

  it.each([
    ['1e3', '1000'],
    ['1.5E+2', '150'],
    ['25e-1', '2.5'],
    ['1e-7', '0.0000001'],
    ['0.0000001', '0.0000001'],
    ['12345678901.1234567', '12345678901.1234567'],
  ])('%s is the same in the document and in the variables', async (digits, level) => {
    for (const send of [inDocument, inVariables])
      expect(await send(digits)).toEqual({ data: { updateNotificationPreferences: { lowCreditLevel: level } } });
  });

  it.each(['1e30', '1e400', '1e-19', '1.00000000000000000001e1'])('%s is refused in both', async (digits) => {
    const message = 'A Decimal has up to 20 digits before the point and up to 18 after it.';
    for (const send of [inDocument, inVariables]) expect(await send(digits)).toMatchObject({ errors: [{ message }] });
  });
});

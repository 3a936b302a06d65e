import { beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { call, codeOf, graphql, type Reply } from '../../kit/platform.js';
import { serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const SETTINGS = '/api/notifications/settings/';
const ERROR = { error: expect.any(String) };
const DEFAULTS = {
  email_enabled: true,
  low_credit_alerts: true,
  zero_balance_alerts: true,
  file_status_updates: true,
  marketing_emails: false,
};
const FIELDS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const settings = (method: string, body?: unknown): Promise<Reply> =>
  call(`${method} ${SETTINGS}`, { token: user.token, ...(body !== undefined && { body }) });

describe('GET /notifications/settings/', () => {
  it('answers the documented fields, all on but marketing, to a new user', async () => {
    const { status, body } = await settings('GET');
    expect({ status, body }).toEqual({ status: 200, body: DEFAULTS });
  });

  it('is refused with 403 to a service, which has no account', async () => {
    const { status, body } = await call(`GET ${SETTINGS}`, { token: await serviceToken('ADMIN') });
    expect({ status, body }).toEqual({ status: 403, body: ERROR });
  });
});

describe('PATCH /notifications/settings/', () => {
  it.each(FIELDS)('changes %s alone and answers the whole', async (field) => {
    const changed = { ...DEFAULTS, [field]: !DEFAULTS[field] };
    const { status, body } = await settings('PATCH', { [field]: !DEFAULTS[field] });
    expect({ status, body }).toEqual({ status: 200, body: changed });
    expect((await settings('GET')).body).toEqual(changed);
  });

  it.each([{}, { email_enabled: null }, { unknown: 1 }, undefined])('of %j changes nothing', async (body) => {
    const reply = await settings('PATCH', body);
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: DEFAULTS });
  });

  it('takes null for absent beside another field', async () => {
    const { body } = await settings('PATCH', { email_enabled: null, marketing_emails: true });
    expect(body).toEqual({ ...DEFAULTS, marketing_emails: true });
  });

  it.each(['yes', 7, 0, '', [true], { on: true }])('refuses the value %j with 400', async (value) => {
    const { status, body } = await settings('PATCH', { email_enabled: value });
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining('email_enabled') } });
    expect((await settings('GET')).body).toEqual(DEFAULTS);
  });

  it('of different fields at once keeps them all', async () => {
    await Promise.all(FIELDS.map((field) => settings('PATCH', { [field]: !DEFAULTS[field] })));
    const flipped = Object.fromEntries(FIELDS.map((field) => [field, !DEFAULTS[field]]));
    expect((await settings('GET')).body).toEqual(flipped);
  });

  it('changes nothing for anyone else', async () => {
    const other = await signIn();
    await settings('PATCH', { email_enabled: false });
    const { body } = await call(`GET ${SETTINGS}`, { token: other.token });
    expect(body).toEqual(DEFAULTS);
  });
});

describe('PUT /notifications/settings/', () => {
  const all = { ...DEFAULTS, low_credit_alerts: false, marketing_emails: true };

  it('replaces them all', async () => {
    const { status, body } = await settings('PUT', all);
    expect({ status, body }).toEqual({ status: 200, body: all });
    expect((await settings('GET')).body).toEqual(all);
  });

  it('ignores fields it does not know', async () => {
    const { body } = await settings('PUT', { ...all, low_credit_level: 'x', id: 7 });
    expect(body).toEqual(all);
  });

  it.each(FIELDS)('names %s when it is missing', async (field) => {
    const { [field]: _, ...rest } = all;
    const { status, body } = await settings('PUT', rest);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(`\`${field}\``) } });
  });

  it.each(FIELDS)('refuses null for %s', async (field) => {
    const { status } = await settings('PUT', { ...all, [field]: null });
    expect(status).toBe(400);
  });

  it('leaves the level of low credit as it is', async () => {
    await graphql('mutation { updateNotificationPreferences(lowCreditLevel: 25) { lowCreditLevel } }', user);
    await settings('PUT', all);
    const { data } = await graphql('{ notificationPreferences { lowCreditLevel } }', user);
    expect(data.notificationPreferences.lowCreditLevel).toBe('25');
  });
});

describe('the preferences in GraphQL', () => {
  const change = (args: string) =>
    graphql(`mutation { updateNotificationPreferences(${args}) { emailEnabled lowCreditLevel } }`, user);

  it('are those of REST with a level of low credit, 10 unless set', async () => {
    await settings('PATCH', { email_enabled: false });
    const { data } = await graphql(
      '{ notificationPreferences { emailEnabled lowCreditAlerts zeroBalanceAlerts fileStatusUpdates marketingEmails lowCreditLevel } }',
      user,
    );
    expect(data.notificationPreferences).toEqual({
      emailEnabled: false,
      lowCreditAlerts: true,
      zeroBalanceAlerts: true,
      fileStatusUpdates: true,
      marketingEmails: false,
      lowCreditLevel: '10',
    });
  });

  it.each(['0', '12.5', '0.000000000000000001'])('take the level %s exactly', async (level) => {
    const { data } = await change(`lowCreditLevel: "${level}"`);
    expect(data.updateNotificationPreferences).toEqual({ emailEnabled: true, lowCreditLevel: level });
  });

  it.each(['"-1"', '"x"', '"1e3"', 'true'])('refuse the level %s', async (level) => {
    expect((await change(`lowCreditLevel: ${level}`)).errors).toHaveLength(1);
  });

  it('are refused without a token', async () => {
    expect(codeOf(await graphql('{ notificationPreferences { emailEnabled } }'))).toBe('UNAUTHENTICATED');
  });
});

describe('the first superuser, who has no wallet,', () => {
  it('has preferences too', async () => {
    const { status } = await call(`GET ${SETTINGS}`, { token: ADMIN_TOKEN });
    expect(status).toBe(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import { isAllowedAddress } from '../../../subgraphs/accounts/notifications/webhook/public-address.js';
import { checkEndpointUrl } from '../../../subgraphs/accounts/notifications/webhook/webhook.rules.js';
import { nextAttempt, hasFailedTooLong } from '../../../subgraphs/accounts/notifications/delivery/delivery.rules.js';
import {
  checkEmail,
  htmlEmail,
  isFaultOfMessage,
  plainEmail,
} from '../../../subgraphs/accounts/notifications/email/email.rules.js';

const PRODUCTION = { loopback: false };
const TRYING = { loopback: true };

describe('a webhook', () => {
  it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'may reach %s',
    (address) => {
      expect(isAllowedAddress(address, PRODUCTION)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    'not an address',
  ])('may not reach %s in production', (address) => {
    expect(isAllowedAddress(address, PRODUCTION)).toBe(false);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['169.254.169.254', false],
    ['::ffff:10.0.0.1', false],
  ])('being tried may reach %s: %s', (address, expected) => {
    expect(isAllowedAddress(address, TRYING)).toBe(expected);
  });

  it.each([
    'http://hooks.example/',
    'https://localhost/',
    'https://a.localhost/',
    'https://localhost./',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
  ])('may not be addressed to %s in production', (url) => {
    expect(() => checkEndpointUrl(url, PRODUCTION)).toThrow();
  });

  it.each([
    ['https://hooks.example', 'https://hooks.example/'],
    ['HTTPS://Hooks.Example:8443/a?b=c#d', 'https://hooks.example:8443/a?b=c'],
    ['https://8.8.8.8/x', 'https://8.8.8.8/x'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ])('may be addressed to %s', (url, kept) => {
    expect(checkEndpointUrl(url, PRODUCTION)).toBe(kept);
  });
});

describe('a delivery', () => {
  const now = new Date('2026-01-01T00:00:00Z');

  it('is tried ten times within about three days, each wait the longer', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (attempts) => (nextAttempt(attempts, now)?.getTime() ?? 0) - now.getTime(),
    );
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(70);
    expect(hours).toBeLessThan(80);
    expect(nextAttempt(10, now)).toBeUndefined();
  });

  it.each([
    ['2025-12-29T00:00:00Z', true],
    ['2025-12-29T00:00:00.001Z', false],
    ['2026-01-01T00:00:00Z', false],
  ])('disables an endpoint that fails since %s: %s', (since, expected) => {
    expect(hasFailedTooLong(new Date(since), now)).toBe(expected);
  });
});

describe('a letter', () => {
  const writing = { title: '<b>"Hi" & \'bye\'', text: 'One\nline\n\n<script>x</script>', url: 'https://h/?a=1&b=2' };

  it('escapes whatever its words hold', () => {
    expect(htmlEmail(writing)).toBe(
      '<!doctype html><html><body><h1>&lt;b&gt;&quot;Hi&quot; &amp; &#39;bye&#39;</h1>' +
        '<p>One<br>line</p><p>&lt;script&gt;x&lt;/script&gt;</p>' +
        '<p><a href="https://h/?a=1&amp;b=2">https://h/?a=1&amp;b=2</a></p></body></html>',
    );
  });

  it('says the same in plain text', () => {
    expect(plainEmail(writing)).toBe('One\nline\n\n<script>x</script>\n\nhttps://h/?a=1&b=2\n');
    expect(plainEmail({ ...writing, url: undefined })).toBe('One\nline\n\n<script>x</script>\n');
  });
});

describe('an e-mail address', () => {
  it.each([
    ['a@b.co', 'a@b.co'],
    [' First.Last+tag@Mail.Example ', 'First.Last+tag@mail.example'],
  ])('%j is kept as %s', (email, kept) => {
    expect(checkEmail(email)).toBe(kept);
  });

  it.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@b..co',
    'a b@c.co',
    'a@b.co,c@d.co',
    'a@b.co\nBcc: c@d.co',
    'Name <a@b.co>',
    '"a"@b.co',
    'a\0@b.co',
    `${'x'.repeat(65)}@b.co`,
    `a@${'x.'.repeat(130)}co`,
  ])('is not %j', (email) => {
    expect(() => checkEmail(email)).toThrow();
  });
});

describe('a refusal of a mail server', () => {
  it.each([
    '550 5.1.1 <nobody@example.com>: no such user',
    '550-5.2.1 The account is disabled.\n550 5.2.1 See the help.',
    '552 5.3.4 Message too big',
    '554 5.6.0 Malformed message',
    '550 No such user here',
  ])('is a fault of the message: %s', (response) => {
    expect(isFaultOfMessage(response)).toBe(true);
  });

  it.each([
    '550 5.7.1 Relaying denied',
    '554 5.7.1 <user@example.com>: Relay access denied',
    '550 relay not permitted',
    '530 5.7.0 Authentication required',
    '530 Authentication required',
    '550 5.1.8 Sender domain not found',
    '553 5.1.7 Sender address rejected',
    '550 5.4.4 Unable to route',
    '451 4.3.0 Try again',
    '421 Too many connections',
    '',
  ])('is one that the operator can mend, or passes: %s', (response) => {
    expect(isFaultOfMessage(response)).toBe(false);
  });
});

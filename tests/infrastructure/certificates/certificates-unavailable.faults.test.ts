import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../kit/arrangements.js';
import { readCertificate, renewCertificate, requestCertificate } from '../../kit/network/certificate.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { grantAt } from '../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let user: SignedIn;
beforeAll(async () => {
  // Nobody is there.
  const SUBGRAPHS = `network=http://127.0.0.1:${await freePort()}`;
  platform = await startOnDatabase({ SUBGRAPHS, SUBGRAPH_SECRET: 'the-secret-between-subgraphs' });
  user = await signIn(undefined, platform.url);
  await grantAt(user, '10', platform.url);
}, 60_000);
afterAll(() => platform.stop());

const asked = () => ({ token: user.token, url: platform.url });

describe('a certificate authority that cannot be reached', () => {
  it('is 503 to who requests a certificate, and to who has one or wants to renew it', async () => {
    expect(await requestCertificate(asked())).toMatchObject({
      status: 503,
      body: { error: 'The certificate authority does not answer; try again later.' },
    });
    await ask(
      platform.databaseUrl,
      `UPDATE infrastructure.overlay_certificate SET state = 'active', ip = '100.64.0.10', expires_at = now() + interval '1 day'`,
    );
    const replies = [
      await requestCertificate(asked()),
      await readCertificate(asked()),
      await renewCertificate(asked()),
    ];
    const answers = replies.map(({ status, headers }) => [status, Number(headers.get('retry-after')) > 0]);
    expect(answers).toEqual(replies.map(() => [503, true]));
  });

  it('is nothing to who has none, or too few credits', async () => {
    const poor = await signIn(undefined, platform.url);
    const other = { token: poor.token, url: platform.url };
    const replies = [await requestCertificate(other), await readCertificate(other), await renewCertificate(other)];
    expect(replies.map(({ status }) => status)).toEqual([402, 404, 404]);
  });
});

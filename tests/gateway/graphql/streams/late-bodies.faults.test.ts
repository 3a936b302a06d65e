import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { signIn, setRoles, type SignedIn } from '../../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { graphql } from '../../../kit/platform.js';

const EVENTS = 'text/event-stream';
const MULTIPART = 'multipart/mixed;subscriptionSpec="1.0"';
const QUERY = 'subscription { creditBalanceChanged { balance } }';

let platform: PlatformOnDatabase;
let sql: Client;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

/** What a test has sent does not outlive it. */
const requests: ClientRequest[] = [];
afterEach(() => {
  for (const sent of requests.splice(0)) sent.destroy();
});

interface Sent {
  readonly path?: string;
  readonly accept?: string;
  readonly body: object;
}

/** Sends a body when its token is admitted and `meanwhile` is done. */
async function send(
  { token }: SignedIn,
  { path = '/graphql', accept = 'application/json', body }: Sent,
  meanwhile: () => Promise<unknown>,
): Promise<IncomingMessage> {
  const authorization = `Bearer ${token}`;
  const headers = { authorization, accept, 'content-type': 'application/json', expect: '100-continue' };
  const sent = request(`${platform.url}${path}`, { method: 'POST', headers });
  requests.push(sent.on('error', () => undefined));
  sent.flushHeaders();
  await once(sent, 'continue');
  await meanwhile();
  sent.end(JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

function subscribe(user: SignedIn, accept: string, meanwhile: () => Promise<unknown>): Promise<IncomingMessage> {
  return send(user, { accept, body: { query: QUERY } }, meanwhile);
}

/** Longer than an admission stands without another lookup. */
const late = () => new Promise((resolve) => setTimeout(resolve, 1_100));

async function revoke({ token }: SignedIn): Promise<void> {
  const { url } = platform;
  const { data } = await graphql('{ tokens { id isCurrent } }', { token, url });
  const { id } = data.tokens.find(({ isCurrent }: { readonly isCurrent: boolean }) => isCurrent);
  await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, url, variables: { id } });
}

describe('a subscription whose body comes after its token was admitted', () => {
  it.each([EVENTS, MULTIPART])('ends when the token is revoked by then: %s', async (accept) => {
    const user = await signIn(undefined, platform.url);
    const answer = await subscribe(user, accept, () => revoke(user));
    expect(await text(answer)).not.toContain('complete');
  });

  it('ends when the roles of its user have changed by then', async () => {
    const user = await signIn(undefined, platform.url);
    const answer = await subscribe(user, EVENTS, () => setRoles(user.substrateAddress, ['BETA'], platform.url));
    expect(await text(answer)).not.toContain('complete');
  });

  it('is refused when the token has expired by then', async () => {
    const user = await signIn(undefined, platform.url);
    const expiresAt = new Date(Date.now() + 1_000);
    await sql.query('UPDATE accounts.token SET expires_at = $1 WHERE user_id = $2', [expiresAt, user.userId]);
    const answer = await subscribe(user, EVENTS, late);
    expect([answer.statusCode, JSON.parse(await text(answer)).errors[0].extensions.code]).toEqual([
      401,
      'UNAUTHENTICATED',
    ]);
  });
});

describe('a change whose body comes long after its token was admitted', () => {
  const REGISTER = `mutation ($ownerAddress: String!, $folderHash: String!, $label: String!) {
    registerFolder(ownerAddress: $ownerAddress, folderHash: $folderHash, label: $label) { status } }`;
  const [folderHash, label] = ['0123456789abcdef', 'late'];
  const asRest = ({ substrateAddress }: SignedIn) => ({
    path: '/register_folder',
    body: { ss58_address: substrateAddress, folder_hash: folderHash, label },
  });
  const asGraphQL = ({ substrateAddress: ownerAddress }: SignedIn) => ({
    body: { query: REGISTER, variables: { ownerAddress, folderHash, label } },
  });
  const foldersOf = async ({ substrateAddress }: SignedIn) => {
    const statement = `SELECT f.id FROM sync.folder f JOIN sync.owner o ON o.id = f.owner_id WHERE o.address = $1`;
    return (await sql.query(statement, [substrateAddress])).rowCount;
  };

  it.each([
    ['REST', asRest],
    ['GraphQL', asGraphQL],
  ])('is refused when the token is revoked by then: %s', async (_, requestOf) => {
    const user = await signIn(undefined, platform.url);
    const answer = await send(user, requestOf(user), () => Promise.all([revoke(user), late()]));
    expect([answer.statusCode, await foldersOf(user)]).toEqual([401, 0]);
  });

  it('is refused, and may be sent again, when the roles of its user have changed by then', async () => {
    const user = await signIn(undefined, platform.url);
    const change = () => Promise.all([setRoles(user.substrateAddress, ['BETA'], platform.url), late()]);
    const answer = await send(user, asRest(user), change);
    expect([answer.statusCode, answer.headers['retry-after'], await foldersOf(user)]).toEqual([503, '1', 0]);
  });

  it('is made when nothing has changed', async () => {
    const user = await signIn(undefined, platform.url);
    const answer = await send(user, asRest(user), late);
    expect([answer.statusCode, await foldersOf(user)]).toEqual([200, 1]);
  });
});

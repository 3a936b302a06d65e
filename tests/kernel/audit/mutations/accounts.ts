import { randomUUID } from 'node:crypto';
import { addEndpoint, notificationsOf, settledDelivery, tell } from '../../../kit/accounts/notice.js';
import { Receiver } from '../../../kit/accounts/receiver.js';
import { beginSession, partOf } from '../../../kit/accounts/session.js';
import { atIssuer, begin, codeFor, comeBack, cookieOf, exchange } from '../../../kit/accounts/social.js';
import { challengeFor, newWallet, personalSign, signIn } from '../../../kit/accounts/wallet.js';
import type { Json } from '../../../kit/platform.js';
import { sentOf, type AuditCases, type World } from './world.js';

const endpoint = async ({ user }: World) => ({ id: (await addEndpoint(user, { url: 'http://127.0.0.1:9/' })).id });
const session = async ({ user }: World) => ({ id: partOf((await beginSession(user)).access).sid });
const refreshToken = async ({ user }: World) => ({ refreshToken: (await beginSession(user)).refresh });

async function notification({ user }: World): Promise<Json> {
  await tell(user);
  return { id: (await notificationsOf(user)).results[0].id };
}

async function delivery({ user, database }: World): Promise<Json> {
  const receiver = await Receiver.open();
  const endpointId = (await addEndpoint(user, { url: receiver.url })).id;
  await tell(user);
  const { id } = await settledDelivery(user, endpointId);
  receiver.close();
  // A delivery can be repeated some seconds after its last attempt.
  await database.query(`UPDATE accounts.delivery SET attempted_at = attempted_at - interval '1 hour' WHERE id = $1`, [
    id,
  ]);
  return { id };
}

async function answeredChallenge({ user: { wallet } }: World): Promise<Json> {
  const { challenge, message } = await challengeFor(wallet);
  const { address, substrateAddress } = wallet;
  return { address, substrateAddress, challenge, signature: personalSign(wallet, message) };
}

/** A challenge of a new user without a wallet, who is the newcomer from then on. */
async function linkChallenge(world: World): Promise<Json> {
  const { body } = await exchange({ code: await codeFor(randomUUID()) });
  const wallet = newWallet();
  const { address, substrateAddress } = wallet;
  world.newcomer = { wallet, token: body.token, userId: body.user.id, substrateAddress };
  const mutation = `mutation ($address: String!, $substrateAddress: String!) {
    createWalletLinkChallenge(address: $address, substrateAddress: $substrateAddress) { challenge message } }`;
  const asked = await world.ask(mutation, { address, substrateAddress }, body.token);
  const { challenge, message } = asked.createWalletLinkChallenge;
  return { address, substrateAddress, challenge, signature: personalSign(wallet, message) };
}

async function emailCode(world: World): Promise<Json> {
  const email = `${randomUUID()}@mail.example`;
  await world.send('user', 'setEmail', { email });
  const { raw } = await world.mail.email(email);
  return { code: /The code is ([2-9A-Z]{8})/.exec(raw)?.[1] };
}

/** Sign-in, tokens, sessions and notifications. */
export const ACCOUNTS: AuditCases = {
  addWebhookEndpoint: { args: { url: 'http://127.0.0.1:9/' }, refused: { url: 'x' }, ids: ['', 'id'] },
  adminCreateServiceToken: { by: 'administrator', args: { name: 'audited', roles: ['MARKETING'] }, ids: ['', 'id'] },
  adminNotify: {
    by: 'administrator',
    args: async ({ user: { substrateAddress } }: World) => ({
      substrateAddress,
      kind: 'account',
      title: 'a',
      text: 'b',
    }),
    ids: ['substrateAddress', 'userId'],
    isShown: true,
  },
  adminProveLedger: { by: 'administrator', ids: ['', ''] },
  adminRotateSigningKey: { by: 'administrator', ids: ['', ''] },
  adminSetReferralReward: { by: 'administrator', args: { credits: '2' }, refused: { credits: '-1' }, ids: ['', ''] },
  adminSetRoles: {
    by: 'administrator',
    args: async ({ user: { substrateAddress } }: World) => ({ substrateAddress, roles: ['BETA'] }),
    ids: ['substrateAddress', 'user.id user.substrateAddress'],
    isShown: true,
  },
  completeSocialSignIn: {
    by: 'nobody',
    args: async () => {
      const begun = await begin();
      return { path: await atIssuer(begun, { account: randomUUID() }), cookie: cookieOf(begun) };
    },
    refused: { cookie: 'none=none' },
    send: async (_, { path, cookie }) => sentOf(await comeBack(path, cookie)),
    ids: ['', 'userId'],
    log: 'new user',
  },
  confirmEmail: { args: emailCode, refused: { code: 'WRONG' }, ids: ['', ''] },
  createToken: { args: { name: 'audited' }, refused: 'service', ids: ['', 'id'] },
  createWalletLinkChallenge: { by: 'newcomer', args: linkChallenge, ids: ['substrateAddress', ''] },
  enableWebhookEndpoint: {
    args: async (world: World) => ({ ...(await endpoint(world)), isEnabled: false }),
    ids: ['id', 'id'],
  },
  exchangeAuthCode: {
    by: 'nobody',
    args: async () => ({ code: await codeFor(randomUUID()) }),
    refused: { code: 'x' },
    ids: ['', 'user.id'],
    log: 'new user',
  },
  issueMasterToken: { args: { replacesToken: false }, refused: 'service', ids: ['', 'sessionId userId'] },
  labelSession: { args: async (world: World) => ({ ...(await session(world)), label: 'mine' }), ids: ['id', 'id'] },
  linkWallet: { by: 'newcomer', args: linkChallenge, ids: ['substrateAddress', 'user.id user.substrateAddress'] },
  markNotificationRead: { args: notification, ids: ['id', 'id'] },
  markAllNotificationsRead: {
    args: async ({ user }: World) => ({ isNew: await tell(user) }),
    refused: 'nobody',
    ids: ['', ''],
  },
  refreshMasterToken: {
    by: 'nobody',
    args: refreshToken,
    refused: { refreshToken: 'unknown' },
    ids: ['', 'sessionId userId'],
    log: 'user',
  },
  removeEmail: { refused: 'nobody', ids: ['', ''] },
  removeWebhookEndpoint: { args: endpoint, ids: ['id', 'id'] },
  replayWebhookDelivery: { args: delivery, ids: ['id', 'endpointId id messageId notificationId'] },
  revokeRefreshToken: {
    by: 'nobody',
    args: refreshToken,
    refused: { refreshToken: 'unknown' },
    isSilent: true,
    ids: ['', 'sessionId userId'],
    log: 'user',
  },
  revokeSession: { args: session, ids: ['id', 'userId'] },
  'revokeSession of a user': { by: 'administrator', args: session, ids: ['id', 'userId'], isShown: true },
  revokeToken: {
    args: async (world: World) => {
      const { token } = await signIn(world.user.wallet);
      const { tokens } = await world.ask('{ tokens { id isCurrent } }', {}, token);
      return { id: tokens.find(({ isCurrent }: Json) => isCurrent).id };
    },
    ids: ['id', 'userId'],
  },
  rotateWebhookSecret: { args: endpoint, ids: ['id', 'id'] },
  setEmail: { args: { email: 'user@mail.example' }, refused: { email: 'x' }, ids: ['', ''] },
  signIn: {
    by: 'nobody',
    args: answeredChallenge,
    refused: { signature: `0x${'1'.repeat(130)}` },
    ids: ['substrateAddress', 'user.id user.substrateAddress'],
    log: 'user',
  },
  testWebhookEndpoint: { args: endpoint, ids: ['id', 'id messageId'] },
  updateNotificationPreferences: { args: { emailEnabled: false }, refused: { lowCreditLevel: '-1' }, ids: ['', ''] },
};

import { describe, expect, it } from '@jest/globals';
import { asAdmin, call, graphql, type Json } from '../../../kit/platform.js';
import { challengeFor, newWallet, personalSign, signIn, signInWithNetwork } from '../../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../../kit/rest/rest-checks.js';

describe('twenty requests at once', () => {
  it('provision one tenant', async () => {
    const { token } = await signIn();
    const replies = await twentyAtOnce(() => call('POST /api/network/provision/', { token }));
    expect({ ...tally(replies), ids: new Set(replies.map(({ body }) => body.id)).size }).toEqual({ 201: 20, ids: 1 });
  });

  it('provision twenty tenants of different ranges', async () => {
    const users = await twentyAtOnce(() => signIn());
    const replies = await Promise.all(users.map(({ token }) => call('POST /api/network/provision/', { token })));
    expect(new Set(replies.map(({ body }) => body.address_range)).size).toBe(20);
  });

  it('register a folder once', async () => {
    const { token, substrateAddress: ss58_address } = await signIn();
    const body = { ss58_address, folder_hash: '37a8eec1ce19687d', label: 'default' };
    const replies = await twentyAtOnce(() => call('POST /register_folder', { token, body }));
    expect(tally(replies)).toEqual({ 200: 1, 409: 19 });
  });

  it('unregister a folder once', async () => {
    const { token, substrateAddress: ss58_address } = await signIn();
    const body = { ss58_address, folder_hash: '37a8eec1ce19687d', label: 'default' };
    await call('POST /register_folder', { token, body });
    const replies = await twentyAtOnce(() => call('DELETE /unregister_folder', { token, body }));
    expect(tally(replies)).toEqual({ 200: 1, 404: 19 });
  });
});

describe('twenty sign-ins at once', () => {
  it('answer one challenge once', async () => {
    const wallet = newWallet();
    const { challenge, message } = await challengeFor(wallet);
    const signature = personalSign(wallet, message);
    const body = { address: wallet.address, substrate_address: wallet.substrateAddress, challenge, signature };
    const replies = await twentyAtOnce(() => call('POST /api/auth/verify/', { body }));
    expect(tally(replies)).toEqual({ 200: 1, 401: 19 });
  });

  it('make one account out of twenty challenges of one wallet', async () => {
    const wallet = newWallet();
    const users = await twentyAtOnce(() => signIn(wallet));
    expect(new Set(users.map(({ userId }) => userId)).size).toBe(1);
  });

  it('claim an SS58 address for one wallet', async () => {
    const { substrateAddress } = newWallet();
    const replies = await twentyAtOnce(async () => {
      const wallet = newWallet(substrateAddress);
      const { challenge, message } = await challengeFor(wallet);
      const signature = personalSign(wallet, message);
      const body = { address: wallet.address, substrate_address: substrateAddress, challenge, signature };
      return call('POST /api/auth/verify/', { body });
    });
    expect(tally(replies)).toEqual({ 200: 1, 401: 19 });
  });
});

describe('twenty changes of one network at once', () => {
  it('create a group of one label once', async () => {
    const { token } = await signInWithNetwork();
    const replies = await twentyAtOnce(() => call('POST /api/network/groups/', { token, body: { label: 'web' } }));
    expect(tally(replies)).toEqual({ 201: 1, 409: 19 });
  });

  it('delete a group once', async () => {
    const { token } = await signInWithNetwork();
    const { body } = await call('POST /api/network/groups/', { token, body: { label: 'web' } });
    const replies = await twentyAtOnce(() => call(`DELETE /api/network/groups/${body.id}/`, { token }));
    expect(tally(replies)).toEqual({ 204: 1, 404: 19 });
  });

  it('leave no policy without its group when one is deleted meanwhile', async () => {
    const { token } = await signInWithNetwork();
    const { body: group } = await call('POST /api/network/groups/', { token, body: { label: 'web' } });
    const body = { source_group: group.id, dest_group: group.id };
    await Promise.all([
      call(`DELETE /api/network/groups/${group.id}/`, { token }),
      ...Array.from({ length: 19 }, () => call('POST /api/network/policies/', { token, body })),
    ]);
    const { body: graph } = await call('GET /api/network/topology/', { token });
    const ids = graph.nodes.map(({ id }: Json) => id);
    expect(graph.edges.every(({ source, target }: Json) => ids.includes(source) && ids.includes(target))).toBe(true);
  });
});

describe('twenty grants at once', () => {
  it('grant credits of one idempotency key once', async () => {
    const user = await signIn();
    const grantOnce = `mutation ($to: String!, $key: String!) {
      adminGrantCredits(substrateAddress: $to, credits: "2.5", reason: "a test", idempotencyKey: $key) { balance }
    }`;
    const key = `once for ${user.userId}`;
    const answers = await twentyAtOnce(() => asAdmin(grantOnce, { to: user.substrateAddress, key }));
    const { data } = await graphql('{ creditBalance { balance } }', { token: user.token });
    expect({ answers: answers.length, balance: data.creditBalance.balance }).toEqual({ answers: 20, balance: '2.5' });
  });

  it('grant credits of different keys twenty times', async () => {
    const user = await signIn();
    const grantAgain = `mutation ($to: String!) { adminGrantCredits(substrateAddress: $to, credits: "0.1", reason: "a test") { balance } }`;
    await twentyAtOnce(() => asAdmin(grantAgain, { to: user.substrateAddress }));
    const { data } = await graphql('{ creditBalance { balance } }', { token: user.token });
    expect(data.creditBalance.balance).toBe('2');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { FORM_TYPE, formOf, manifestFor, send, type RawReply } from '../../kit/files/bytes.js';
import { ARRANGEMENTS } from '../../kit/arrangements.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { grantAt, setPrice, startPlatform, type PaidPlatform } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { openSession, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

/** At this price a thousand bytes cost a credit a month. */
const CREDIT_FOR_1000 = `${2 ** 30 / 1000}`;

describe.each(ARRANGEMENTS)('storage at a price, %s', (arrangement) => {
  let platform: PaidPlatform;
  let url: string;
  let user: SignedIn;
  let other: SignedIn;
  beforeAll(async () => {
    platform = await startPlatform(arrangement);
    ({ url } = platform);
    other = await signIn(undefined, url);
  }, 120_000);
  afterAll(() => platform.stop());
  beforeEach(async () => {
    user = await signIn(undefined, url);
    await setPrice(CREDIT_FOR_1000, url);
  });

  const shown = ({ status, body }: { status: number; body: Json }) => ({ status, body });
  const refused = (error: string, balance_cents: number, required_cents: number) => ({
    status: 402,
    body: { Error: { error, message: expect.stringMatching(/\S/), balance_cents, required_cents } },
  });
  const store = async (size: number, manifest: Json = {}): Promise<RawReply> =>
    (await storeFile(user, { bytes: randomBytes(size), manifest, url })).reply;
  const grant = (credits: string) => grantAt(user, credits, url);
  const summary = async (): Promise<Json> =>
    (await call(`GET /get_user_summary/${user.substrateAddress}`, { token: user.token, url })).body.Success;
  const canUpload = (size_bytes: number, token = user.token) =>
    call('POST /can_upload', { token, url, body: { ss58_address: user.substrateAddress, size_bytes } });

  it('is free until a price is set, and again when it is taken away', async () => {
    await setPrice(null, url);
    expect((await store(1000)).status).toBe(200);
    expect((await canUpload(1000)).body).toEqual({ result: true, Success: { result: true } });
  });

  it('is refused at a balance of nothing, single files', async () => {
    expect(shown(await store(1500))).toEqual(refused('insufficient_balance', 0, 150));
    expect((await summary()).file_count).toBe(0);
  });

  it('is refused at a balance of nothing, upload sessions', async () => {
    const bytes = randomBytes(2000);
    const plan = { user, bytes, chunkSize: 1024, manifest: manifestFor(user, 'x'), url };
    expect(shown(await openSession(plan))).toEqual(refused('insufficient_balance', 0, 200));
  });

  it('is refused at a balance of nothing, files of a gateway', async () => {
    const parts = [
      { name: 'account_ss58', bytes: user.substrateAddress },
      { name: 'file', fileName: 'a.txt', bytes: randomBytes(10) },
    ];
    const reply = await send('POST /upload', formOf(parts), {
      token: user.token,
      url,
      headers: { 'content-type': FORM_TYPE },
    });
    expect([reply.status, reply.body.Error.error]).toEqual([402, 'insufficient_balance']);
  });

  it('is refused where a month of all costs more than the balance', async () => {
    await grant('3');
    expect((await store(2000)).status).toBe(200);
    expect(shown(await store(1500))).toEqual(refused('drive_quota_exceeded', 300, 350));
    expect((await store(1000)).status).toBe(200);
    expect((await summary()).file_count).toBe(2);
  });

  it('counts what a file replaces and what was deleted no more', async () => {
    await grant('2');
    const { manifest, reply } = await storeFile(user, { bytes: randomBytes(2000), path: 'a', url });
    const next = { revision_seq: 2, base_revision_id: reply.body.Success.revision_id };
    const again = await storeFile(user, { bytes: randomBytes(1900), path: 'a', manifest: next, url });
    expect(again.reply.status).toBe(200);
    expect((await store(200)).status).toBe(402);
    const id = Buffer.from(manifest.path_hash).toString('hex');
    await call(`DELETE /delete/${user.substrateAddress}/${manifest.folder_hash}/${id}`, { token: user.token, url });
    expect((await store(2000)).status).toBe(200);
  });

  it('is kept for open sessions until they end', async () => {
    await grant('3');
    const open = () => {
      const plan = { user, bytes: randomBytes(2000), chunkSize: 1024, manifest: manifestFor(user, 'x'), url };
      return openSession(plan);
    };
    const first = await open();
    expect(shown(await open())).toEqual(refused('drive_quota_exceeded', 300, 400));
    expect(shown(await store(1500))).toEqual(refused('drive_quota_exceeded', 300, 350));
    expect((await canUpload(1500)).body.result).toBe(false);
    await call(`DELETE /upload/session/${first.body.Success.session_id}`, { token: user.token, url });
    expect((await open()).status).toBe(200);
  });

  it('lets one of twenty sessions in that fit alone', async () => {
    await grant('3');
    const plan = { user, bytes: randomBytes(2000), chunkSize: 1024, manifest: manifestFor(user, 'x'), url };
    const replies = await Promise.all(Array.from({ length: 20 }, () => openSession(plan)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('comes after the base revision and the sequence', async () => {
    await grant('1');
    const { reply } = await storeFile(user, { path: 'a', url });
    const base = { base_revision_id: reply.body.Success.revision_id };
    const conflict = await storeFile(user, { bytes: randomBytes(9000), path: 'a', manifest: { revision_seq: 2 }, url });
    const stale = await storeFile(user, { bytes: randomBytes(9000), path: 'a', manifest: base, url });
    const quota = { ...base, revision_seq: 2 };
    const tooMuch = await storeFile(user, { bytes: randomBytes(9000), path: 'a', manifest: quota, url });
    expect([conflict, stale, tooMuch].map(({ reply: { status, body } }) => [status, body.Error.error])).toEqual([
      [409, 'conflict'],
      [400, 'stale_sequence'],
      [402, 'drive_quota_exceeded'],
    ]);
  });

  it('comes before the bytes: what they hash to is not looked at', async () => {
    const { reply } = await storeFile(user, { manifest: { ciphertext_hash: undefined }, url });
    expect(reply.status).toBe(400);
    const wrong = manifestFor(user, 'another');
    const signed = { ciphertext_hash: wrong.ciphertext_hash, signature: wrong.signature };
    expect((await storeFile(user, { manifest: signed, url })).reply.status).toBe(402);
  });

  it('is refused when a session is finalized that was opened while it was free, which can be paid and tried again', async () => {
    await setPrice(null, url);
    const upload = await TestUpload.open({ user, bytes: randomBytes(3000), url });
    await upload.putAll();
    await setPrice(CREDIT_FOR_1000, url);
    expect(shown(await upload.finalize())).toEqual(refused('insufficient_balance', 0, 300));
    await grant('2.99');
    expect(shown(await upload.finalize())).toEqual(refused('drive_quota_exceeded', 299, 300));
    await grant('0.01');
    expect((await upload.finalize()).status).toBe(200);
    expect((await upload.finalize()).status).toBe(200);
  });

  it('is refused at a finalize before the chunks that are missing, without what other sessions keep', async () => {
    await setPrice(null, url);
    const upload = await TestUpload.open({ user, bytes: randomBytes(3000), url });
    const second = await TestUpload.open({ user, bytes: randomBytes(3000), url });
    await setPrice(CREDIT_FOR_1000, url);
    expect(shown(await upload.finalize())).toEqual(refused('insufficient_balance', 0, 300));
    await grant('3');
    expect((await upload.finalize()).body.Error.error).toBe('invalid_manifest');
    await second.putAll();
    expect((await second.finalize()).status).toBe(200);
    expect(shown(await upload.finalize())).toEqual(refused('drive_quota_exceeded', 300, 600));
  });

  it('lets in of twenty at once as many as are paid for', async () => {
    await grant('5');
    const replies = await Promise.all(Array.from({ length: 20 }, () => store(1000)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(15);
    expect((await summary()).file_count).toBe(5);
  });

  it('is refused the same in GraphQL', async () => {
    const { relative_path: _1, file_name: _2, ...m } = manifestFor(user, 'x');
    const manifest = Object.fromEntries(
      Object.entries(m).map(([name, value]) => [name.replaceAll(/_(.)/g, (_, c: string) => c.toUpperCase()), value]),
    );
    const query = `mutation ($manifest: ManifestInput!) {
      openUploadSession(manifest: $manifest, chunkCount: 1, chunkSize: 1000, ciphertextSize: 1000) { sessionId }
    }`;
    const { errors } = await graphql(query, { token: user.token, variables: { manifest }, url });
    expect(errors?.[0].extensions).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      reason: 'insufficient_balance',
      balance_cents: 0,
      required_cents: 100,
    });
  });

  it('is told before an upload, with 200', async () => {
    const error = expect.stringMatching(/^billing: /);
    expect(shown(await canUpload(1000))).toEqual({
      status: 200,
      body: { result: false, error, Success: { result: false, error } },
    });
    await grant('1');
    // 952 bytes are 1000 once they are encrypted.
    expect([(await canUpload(952)).body.result, (await canUpload(953)).body.result]).toEqual([true, false]);
    expect((await canUpload(1000, other.token)).status).toBe(403);
  });

  it('has a price that everyone can read', async () => {
    const query = '{ storagePrice { creditsPerGibMonth changedAt } }';
    const { data } = await graphql(query, { token: other.token, url });
    expect(data.storagePrice).toEqual({ creditsPerGibMonth: CREDIT_FOR_1000, changedAt: expect.any(String) });
  });

  it('has a price that administrators set, to the last digit', async () => {
    const set =
      'mutation ($price: Decimal) { adminSetStoragePrice(creditsPerGibMonth: $price) { creditsPerGibMonth } }';
    const price = '0.000000000000000001';
    const { adminSetStoragePrice } = await asAdmin(set, { price }, url);
    expect(adminSetStoragePrice.creditsPerGibMonth).toBe(price);
    const answers = [
      await graphql(set, { token: user.token, variables: { price: '1' }, url }),
      await graphql(set, { variables: { price: '1' }, url }),
      await graphql(set, { token: platform.adminToken, variables: { price: '0' }, url }),
      await graphql(set, { token: platform.adminToken, variables: { price: '-1' }, url }),
    ];
    expect(answers.map(codeOf)).toEqual(['FORBIDDEN', 'UNAUTHENTICATED', 'BAD_REQUEST', 'BAD_REQUEST']);
  });

  it('leaves a line in the log for each change', async () => {
    await setPrice('7.25', url);
    const lines = () => platform.log().filter(({ msg }) => msg === 'the price of storage was changed');
    await until(async () => lines().at(-1)?.to === '7.25');
    expect(lines().at(-1)).toMatchObject({ from: CREDIT_FOR_1000, setBy: expect.stringMatching(/^user \d+ admin$/) });
  });

  it('names the price before each of several changes at once', async () => {
    const changes = () => {
      const lines = platform.log().filter(({ msg }) => msg === 'the price of storage was changed');
      return new Map(lines.map(({ from, to }) => [from, to]));
    };
    const prices = Array.from({ length: 12 }, (_, index) => `1.${index + 1}1`);
    await setPrice('1.999', url);
    await Promise.all(prices.map((price) => setPrice(price, url)));
    await until(async () => prices.every((price) => [...changes().values()].includes(price)));
    const order: string[] = [];
    for (let at = changes().get('1.999'); at !== undefined; at = changes().get(at)) order.push(at);
    expect(order.toSorted()).toEqual(prices.toSorted());
  });
});

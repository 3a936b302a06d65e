import { describe, expect, it } from '@jest/globals';
import { requestCertificate, signInWithCredits } from '../../kit/network/certificate.js';
import { asAdmin, graphql } from '../../kit/platform.js';
import { setRoles, signIn } from '../../kit/accounts/wallet.js';

const FIELDS =
  'results { id caller actor actorId tokenId clientAddress userAgent argumentIds { name value } resultIds { name value } }';

describe('the audit log of a user', () => {
  it('says that an administrator made a change for its user, and who only to administrators', async () => {
    const { token, userId, substrateAddress } = await signIn();
    await setRoles(substrateAddress, ['BETA']);
    const log = `accountsAuditLog(mutation: "adminSetRoles") { ${FIELDS} }`;
    const { data } = await graphql(`{ me { ${log} } }`, { token });
    const [entry] = data.me.accountsAuditLog.results;
    const hidden = { actorId: null, tokenId: null, clientAddress: null, userAgent: null };
    expect(entry).toMatchObject({ actor: 'ADMINISTRATOR', caller: 'API_TOKEN', ...hidden });
    expect(entry.resultIds).toContainEqual({ name: 'user.id', value: String(userId) });
    const read = await asAdmin(`query ($address: String!) { me { id } user(substrateAddress: $address) { ${log} } }`, {
      address: substrateAddress,
    });
    const known = { actorId: read.me.id, tokenId: expect.any(String), clientAddress: expect.any(String) };
    expect(read.user.accountsAuditLog.results).toMatchObject([{ ...entry, ...known, userAgent: expect.any(String) }]);
    const own = await asAdmin(`{ me { ${log} } }`);
    expect(own.me.accountsAuditLog.results).toContainEqual(
      expect.objectContaining({ id: entry.id, actor: null, actorId: null }),
    );
  });

  it('has a call of the platform for its user, without a client', async () => {
    const { token } = await signInWithCredits();
    expect((await requestCertificate({ token })).status).toBe(200);
    const { data } = await graphql(`{ me { networkAuditLog(mutation: "certifyHolder") { ${FIELDS} } } }`, { token });
    const nobody = { actorId: null, tokenId: null, clientAddress: null, userAgent: null };
    expect(data.me.networkAuditLog.results).toMatchObject([{ actor: 'PLATFORM', caller: 'PLATFORM', ...nobody }]);
  });
});

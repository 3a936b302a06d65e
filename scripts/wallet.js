// Signs a throw-away wallet in and prints its API token: what a client does, in the fewest lines.
// usage: npm run --silent wallet -- [http://localhost:4000]
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeAddress, randomAsU8a } from '@polkadot/util-crypto';

const SS58_NETWORK = 42;
const url = process.argv[2] ?? 'http://localhost:4000';
const secretKey = secp256k1.utils.randomSecretKey();
const address = `0x${bytesToHex(keccak_256(secp256k1.getPublicKey(secretKey, false).slice(1)).slice(12))}`;
const pair = { address, substrate_address: encodeAddress(randomAsU8a(32), SS58_NETWORK) };

const { challenge, message } = await post('/api/auth/mnemonic/', pair);
const { token, ...user } = await post('/api/auth/verify/', { ...pair, challenge, signature: personalSign(message) });
console.error(JSON.stringify(user));
console.log(token);

/** EIP-191 over the text: 0x, r, s, v. */
function personalSign(text) {
  const bytes = utf8ToBytes(text);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes));
  const [recovery, ...rs] = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
  return `0x${bytesToHex(Uint8Array.from(rs))}${(recovery + 27).toString(16)}`;
}

async function post(path, body) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${answer.error}`);
  return answer;
}

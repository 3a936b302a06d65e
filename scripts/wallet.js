// Signs in with a wallet and prints its API token. A minimal client; see USAGE.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `usage: npm run --silent wallet -- [--new] [URL]

Signs in to the platform at URL with a wallet. Prints the API token on standard output and the user on standard error.
The default URL is http://localhost:$PORT, and the default PORT is 4000.
The first call creates the wallet in $DATA_DIR/wallet.json (default ./.data), readable only by its owner. Later calls use
the same wallet. --new creates another one and renames the old file.`;

const SS58_NETWORK = 42;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message.split('\n')[0] : String(error));
  process.exitCode = 1;
}

async function main() {
  const { url, file, isNew } = readCommand() ?? {};
  if (url === undefined) return;
  const crypto = await loadCrypto();
  const stored = readWallet(file);
  const wallet = stored && !isNew ? stored : makeWallet(crypto);
  const pair = { address: addressOf(crypto, wallet), substrate_address: wallet.substrate_address };
  const { challenge, message } = await post(url, '/api/auth/mnemonic/', pair);
  if (typeof message !== 'string') throw new Error(`${url} answers, but not as the platform does.`);
  // Stored before the account exists, so that every account has its key.
  if (wallet !== stored) storeWallet(file, wallet, stored && addressOf(crypto, stored));
  const signature = personalSign(crypto, wallet, message);
  const { token, ...user } = await post(url, '/api/auth/verify/', { ...pair, challenge, signature });
  console.error(JSON.stringify(user));
  console.error(`its key is kept in ${file}`);
  console.log(token);
}

function readCommand() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, new: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(USAGE);
    return undefined;
  }
  const [url = `http://localhost:${process.env.PORT?.trim() || 4000}`] = positionals;
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw new Error(`"${url}" is no URL; see --help.`);
  const file = path.resolve(process.env.DATA_DIR?.trim() || './.data', 'wallet.json');
  return { url: url.replace(/\/+$/, ''), file, isNew: values.new };
}

async function loadCrypto() {
  try {
    const { secp256k1 } = await import('@noble/curves/secp256k1.js');
    const { keccak_256 } = await import('@noble/hashes/sha3.js');
    const { encodeAddress } = await import('@polkadot/util-crypto');
    return { secp256k1, keccak_256, encodeAddress };
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('The packages are not installed yet: run npm start first.', { cause: error });
  }
}

function makeWallet({ secp256k1, encodeAddress }) {
  const secret_key = Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex');
  return { secret_key, substrate_address: encodeAddress(randomBytes(32), SS58_NETWORK) };
}

function readWallet(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read (${error.code}): set DATA_DIR to a folder that you can read.`, {
      cause: error,
    });
  }
  const isWallet = /^\s*\{"secret_key":"[0-9a-f]{64}","substrate_address":"\w+"\}\s*$/.test(text);
  if (!isWallet) throw new Error(`${file} holds no wallet: move it away, or set DATA_DIR.`);
  return JSON.parse(text);
}

function storeWallet(file, wallet, replacedAddress) {
  try {
    if (!existsSync(path.dirname(file))) mkdirSync(path.dirname(file), { mode: 0o700 });
    if (replacedAddress) renameSync(file, file.replace(/\.json$/, `-${replacedAddress}.json`));
    writeFileSync(`${file}.new`, JSON.stringify(wallet), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  } catch (error) {
    const reason = `cannot be written (${error.code}): set DATA_DIR to a folder that you can write.`;
    throw new Error(`${file} ${reason}`, { cause: error });
  }
}

function addressOf({ secp256k1, keccak_256 }, { secret_key }) {
  const publicKey = secp256k1.getPublicKey(Buffer.from(secret_key, 'hex'), false);
  return `0x${Buffer.from(keccak_256(publicKey.slice(1)).slice(12)).toString('hex')}`;
}

/** Signs the text as of EIP-191. Returns 0x, r, s, v. */
function personalSign({ secp256k1, keccak_256 }, { secret_key }, text) {
  const bytes = Buffer.from(text);
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]));
  const options = { prehash: false, format: 'recovered' };
  const [recovery, ...rs] = secp256k1.sign(digest, Buffer.from(secret_key, 'hex'), options);
  return `0x${Buffer.from(rs).toString('hex')}${(recovery + 27).toString(16)}`;
}

async function post(url, route, body) {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url + route, request).catch((error) => {
    throw new Error(`Nothing answers at ${url} (${error.cause?.code ?? error.name}): is the platform running there?`);
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer && typeof answer === 'object') return answer;
  throw new Error(`${url}${route} answered HTTP ${response.status}${answer?.error ? `: ${answer.error}` : ''}`);
}

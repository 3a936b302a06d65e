import type { Command } from 'commander';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { graphql, type ResultOf } from '../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../confirm.js';
import { idOf, isRefusal, UsageError } from '../failure.js';
import { makeDirectory } from '../local-files/make-directory.js';
import { run, type Session } from '../session.js';
import { unwritable } from '../local-files/unwritable.js';
import { writeSecret } from '../local-files/write-secret.js';

const CERTIFICATES = graphql('query { overlayCertificates { certificateId ip state createdAt expiresAt reference } }');
const REVOKE = graphql('mutation ($id: Int!) { revokeOverlayCertificate(certificateId: $id) { certificateId state } }');

const REQUEST = graphql(`
  mutation ($publicKey: String!) {
    certificate: requestOverlayCertificate(publicKey: $publicKey) {
      certificateId
      ip
      expiresAt
      ca
      cert
      config
    }
  }
`);
const RENEW = graphql(`
  mutation ($publicKey: String!) {
    certificate: renewOverlayCertificate(publicKey: $publicKey) {
      certificateId
      ip
      expiresAt
      ca
      cert
      config
    }
  }
`);

/** Path of the key in configurations of the platform. */
const KEY_FILE = '/etc/nebula/host.key';
const KEY_PEM = 'NEBULA X25519 PRIVATE KEY';
/** Start of an x25519 private key in PKCS #8; 32 bytes follow. Source: RFC 8410 */
const PKCS8_START = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Adds `cert`. */
export function addCertificates(program: Command): void {
  const cert = program.command('cert').description('overlay certificates for machines that run Nebula by themselves');
  cert.command('list').alias('show').description('list certificates').action(run(listCertificates));
  const write = (words: string, description: string, document: typeof REQUEST | typeof RENEW) =>
    cert
      .command(words)
      .description(`${description}; the private key is made here and stays here`)
      .option('--dir <directory>', 'where ca.crt, host.crt, host.key and config.yml are written', '.')
      .action(run((session, _args, { dir }: { readonly dir: string }) => writeCertificate(session, document, dir)));
  write('request', 'request a certificate', REQUEST);
  write('renew', 'renew the certificate', RENEW);
  cert
    .command('revoke <id>')
    .description('revoke a certificate')
    .option(...YES)
    .action(run(revokeCertificate));
}

async function listCertificates({ client, output }: Session): Promise<void> {
  const { overlayCertificates } = await client.graphql(CERTIFICATES);
  output.table(overlayCertificates, [
    ['id', ({ certificateId }) => certificateId],
    ['address', ({ ip }) => ip],
    ['state', ({ state }) => state],
    ['created', ({ createdAt }) => createdAt],
    ['expires', ({ expiresAt }) => expiresAt],
  ]);
}

async function revokeCertificate(
  { client, output }: Session,
  [word = '']: readonly string[],
  { yes }: Confirmed,
): Promise<void> {
  const id = idOf(word);
  await confirm(`Revoke the certificate ${id}?`, yes, 'revoked');
  const { revokeOverlayCertificate } = await client.graphql(REVOKE, { id });
  output.done(`revoked ${id}`, revokeOverlayCertificate);
}

async function writeCertificate({ client, output }: Session, document: typeof REQUEST | typeof RENEW, dir: string) {
  const made = await makeDirectory(path.resolve(dir)).catch((error: NodeJS.ErrnoException) => {
    throw unwritable(dir, error);
  });
  // Kept before the request, so that a request whose answer was lost can be repeated.
  const { publicKey, isNew } = await publicKeyIn(path.join(dir, 'host.key'));
  const { certificate } = await client
    .graphql(document, { publicKey: publicKey.toString('base64') })
    .catch(async (error: unknown) => {
      if (isNew && isRefusal(error)) await removeKey(dir, made).catch(() => undefined);
      throw error;
    });
  await writeFiles(dir, certificate);
  const { certificateId, ip, expiresAt } = certificate;
  output.done(`${path.join(dir, 'config.yml')} has the address ${ip} until ${expiresAt}`, {
    certificateId,
    ip,
    expiresAt,
    dir: path.resolve(dir),
  });
}

/** Removes the new key, and the directories that were made for it. @param made the first of these */
async function removeKey(dir: string, made: string | undefined): Promise<void> {
  await rm(path.join(dir, 'host.key'));
  if (made === undefined) return;
  for (let at = path.resolve(dir); at.length >= made.length; at = path.dirname(at)) await rmdir(at);
}

async function writeFiles(dir: string, { ca, cert, config }: ResultOf<typeof REQUEST>['certificate']): Promise<void> {
  await writeFile(path.join(dir, 'ca.crt'), ca);
  await writeFile(path.join(dir, 'host.crt'), cert);
  const keyFile = JSON.stringify(path.resolve(dir, 'host.key'));
  await writeFile(
    path.join(dir, 'config.yml'),
    config.replace(JSON.stringify(KEY_FILE), () => keyFile),
  );
}

/** Returns the public key of the file, which is made if there is none. Only its owner can read it. */
async function publicKeyIn(file: string): Promise<{ readonly publicKey: Buffer; readonly isNew: boolean }> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  const secret = text === undefined ? newSecret() : secretOf(text, file);
  if (text === undefined) {
    const pem = `-----BEGIN ${KEY_PEM}-----\n${secret.toString('base64')}\n-----END ${KEY_PEM}-----\n`;
    await writeSecret(file, pem);
  }
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey, isNew: text === undefined };
}

function newSecret(): Buffer {
  return generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
}

function secretOf(pem: string, file: string): Buffer {
  const [, body = ''] = new RegExp(`BEGIN ${KEY_PEM}-----([^-]+)-----END`).exec(pem) ?? [];
  const secret = Buffer.from(body, 'base64');
  if (secret.length !== 32)
    throw new UsageError(`${file} is not a Nebula private key: move it or choose another --dir.`);
  return secret;
}

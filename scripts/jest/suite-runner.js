// Runs one suite. This module is loaded outside of the sandbox of the suite.
import jestCircus from 'jest-circus/runner';
import { startCpuMeter } from './cpu.js';

/**
 * Lower bounds of time limits, whatever a suite says. A limit only ends a wait that is in vain; starting servers takes
 * more than a minute on a machine that does eight other things.
 */
const MIN_HOOK_TIMEOUT_MS = 300_000;
const MIN_TEST_TIMEOUT_MS = 120_000;

/** Runs a suite as jest does; its result also has the CPU seconds of the suite and of the processes it started. */
export default async function runSuite(globalConfig, config, environment, ...others) {
  environment.handleTestEvent = raiseTimeouts;
  const readCpuSeconds = startCpuMeter();
  const result = await jestCircus.default(globalConfig, config, environment, ...others);
  return { ...result, cpuSeconds: readCpuSeconds() };
}

function raiseTimeouts({ name }, { currentDescribeBlock }) {
  if (name === 'add_hook') raise(currentDescribeBlock.hooks.at(-1), MIN_HOOK_TIMEOUT_MS);
  if (name === 'add_test') raise(currentDescribeBlock.tests.at(-1), MIN_TEST_TIMEOUT_MS);
}

function raise(owner, minimumMs) {
  if (owner) owner.timeout = Math.max(owner.timeout ?? 0, minimumMs);
}

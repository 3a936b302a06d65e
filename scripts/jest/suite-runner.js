// Runs one suite. Jest loads this module outside the sandbox of the suite.
import jestCircus from 'jest-circus/runner';
import { startCpuMeter } from './cpu.js';

/**
 * Lower bounds of all timeouts, even if a suite sets less. A timeout only ends a test that hangs; on a busy machine the
 * start of servers takes more than a minute.
 */
const MIN_HOOK_TIMEOUT_MS = 900_000;
const MIN_TEST_TIMEOUT_MS = 900_000;

/** Runs a suite with jest-circus and adds the CPU seconds of the suite and its child processes to the result. */
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

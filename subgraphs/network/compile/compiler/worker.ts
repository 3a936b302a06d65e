import { parentPort, workerData } from 'node:worker_threads';
import type { CompileLimits } from '../../config.js';
import { readRefusal } from '../../../../kernel/errors.js';
import type { Job } from './work.js';
import { CompilerPool } from './compiler-pool.js';

const compilerWorker = new CompilerPool(workerData as CompileLimits);

function answer(job: Job): void {
  switch (job.kind) {
    case 'compile':
      return parentPort?.postMessage({ result: compilerWorker.compile(job.graph) });
    case 'write': {
      const result = compilerWorker.write(job.wanted);
      return parentPort?.postMessage({ result }, result?.chunks.map(({ buffer }) => buffer) ?? []);
    }
    case 'plan':
      return parentPort?.postMessage({ result: compilerWorker.plan(job.question) });
  }
}

/** A worker thread that runs one job at a time. Unexpected errors terminate it. */
parentPort?.on('message', (job: Job) => {
  try {
    answer(job);
  } catch (error) {
    const refusal = readRefusal(error);
    if (!refusal) throw error;
    parentPort?.postMessage({ refusal: { message: refusal.message, extensions: refusal.extensions } });
  }
});
parentPort?.postMessage('ready');

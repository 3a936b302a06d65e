import { parentPort, workerData } from 'node:worker_threads';
import type { CompileLimits } from '../../config.js';
import { readRefusal } from '../../../../kernel/errors.js';
import type { CompileJob } from './compile-job.js';
import { CachingCompiler } from './caching-compiler.js';

const compiler = new CachingCompiler(workerData as CompileLimits);

function runJob(job: CompileJob): void {
  switch (job.kind) {
    case 'compile':
      return parentPort?.postMessage({ result: compiler.compile(job.graph) });
    case 'write': {
      const result = compiler.write(job.texts);
      return parentPort?.postMessage({ result }, result?.chunks.map(({ buffer }) => buffer) ?? []);
    }
    case 'plan':
      return parentPort?.postMessage({ result: compiler.plan(job.question) });
  }
}

/** A worker thread that runs one job at a time. Unexpected errors terminate it. */
parentPort?.on('message', (job: CompileJob) => {
  try {
    runJob(job);
  } catch (error) {
    const refusal = readRefusal(error);
    if (!refusal) throw error;
    parentPort?.postMessage({ refusal: { message: refusal.message, extensions: refusal.extensions } });
  }
});
parentPort?.postMessage('ready');

import { createConnection, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Runs in a machine: listens on the ports that are its arguments, and tries connections that it is told of, a line of
 * JSON each: `{"id", "host", "port", "limitMs"}` → `{"id", "isOpen"}`.
 */
interface Attempt {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly limitMs: number;
}

for (const port of process.argv.slice(2).map(Number)) {
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('here\n');
  }).listen(port, '0.0.0.0', () => say({ listens: port }));
}

createInterface({ input: process.stdin })
  .on('line', (line) => attempt(JSON.parse(line) as Attempt))
  .on('close', () => process.exit(0));

/** Open is what answers: a connection that is made but gives nothing is not. */
function attempt({ id, host, port, limitMs }: Attempt): void {
  const socket = createConnection({ host, port });
  let isDecided = false;
  const decide = (isOpen: boolean) => {
    if (isDecided) return;
    isDecided = true;
    clearTimeout(timer);
    socket.destroy();
    say({ id, isOpen });
  };
  const timer = setTimeout(() => decide(false), limitMs);
  socket.on('data', () => decide(true));
  socket.on('error', () => decide(false));
  socket.on('end', () => decide(false));
}

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

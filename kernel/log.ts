import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on standard error; standard output belongs to what `npm start` tells its user. */
export function openLog(level: string, name: string): Logger {
  return pino(
    {
      name,
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: [
        'req.headers',
        'headers',
        'authorization',
        'token',
        'secret',
        'variables',
        '*.authorization',
        '*.token',
        '*.secret',
      ],
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { signInWithBrowser } from '../../cli/browser.js';
import { Archipelago } from '../../sdk/src/index.js';
import { walk } from '../kit/accounts/social.js';
import { openCommandLine } from '../kit/command-line.js';
import { platform } from '../kit/platform.js';

/** Returns where the browser goes after the sign-in. */
function nextOf(line: string): string {
  return new URL(line.trim().replace('Open ', '')).searchParams.get('next') ?? '';
}

describe('a sign-in in a browser', () => {
  it('prints the address to open, and signs in with the code that the browser brings back', async () => {
    const browserLine = await openCommandLine();
    const login = browserLine.start('--json', 'login', '--browser', 'test');
    const printed = text(login.stdout);
    const [address] = (await once(login.stderr, 'data')) as [Buffer];
    const callback = await walk({ account: randomUUID() }, nextOf(String(address)));
    const foreign = new URL(callback);
    foreign.searchParams.set('state', 'another');
    expect((await fetch(foreign)).status).toBe(404);
    expect(await (await fetch(callback)).text()).toBe('You can close this window.\n');
    expect(JSON.parse(await printed)).toMatchObject({ url: platform().url });
    expect(await browserLine.json('whoami')).toMatchObject({ substrateAddress: null });
    await browserLine.close();
  });

  it('ends when nobody signed in within five minutes, and no longer listens', async () => {
    const { url } = platform();
    const printed: string[] = [];
    const waited: (number | undefined)[] = [];
    const signIn = signInWithBrowser(new Archipelago({ url }), {
      url,
      provider: 'test',
      print: (line) => printed.push(line),
      wait: async <Value>(milliseconds?: number, value?: Value) => {
        waited.push(milliseconds);
        return value as Value;
      },
    });
    await expect(signIn).rejects.toThrow('Nobody signed in within 5 minutes.');
    expect(waited).toEqual([300_000]);
    const callback = new URL(nextOf(printed.join()), url).searchParams.get('callback_url') ?? '';
    await expect(fetch(callback)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

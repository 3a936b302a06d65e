import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toEnd } from '../../kit/run.js';
import { signedInCommandLine } from '../../kit/command-line.js';
import { press } from '../../kit/payments/sandbox.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  line = await signedInCommandLine();
});
afterAll(() => line.close());

/** Starts a command that waits. Resolves with what it shows before it waits, and with its end. */
async function waiting(...words: readonly string[]) {
  const child = line.start(...words, '--wait');
  const shown = new Promise<string>((resolve) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        text += piece.toString();
        if (/^transaction id +\S+\n/m.test(text)) resolve(text);
      });
  });
  const ended = toEnd(child);
  return { ended, shown: await Promise.race([shown, ended.then(({ stderr }) => stderr)]) };
}

const pageIn = (text: string) => /http\S+\/sandbox\/\S+/.exec(text)?.[0] ?? text;

describe('credits that are bought on the command line', () => {
  it('by card are paid on a page, and are in the balance', async () => {
    const bought = await line.json('credits', 'buy', '25');
    expect(bought).toEqual({
      checkoutUrl: expect.stringContaining('/sandbox/'),
      transactionId: expect.any(String),
    });
    const { shown, ended } = await waiting('credits', 'buy', '30.5');
    await press(pageIn(shown), { action: 'pay' });
    const { code, stdout, stderr } = await ended;
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/\ncredited 30\.5\n$/), '']);
    expect(await line.json('credits')).toMatchObject({ balance: '30.5' });
  });

  it('by a deposit have an address, an amount and a time, and end when the payment is credited', async () => {
    const { shown, ended } = await waiting('--json', 'credits', 'deposit', 'usdc', '40');
    expect(shown).toMatch(/^payment address +0x[\dA-Fa-f]{40}\namount +40\ncurrency +USDC\n/);
    expect(shown).toMatch(/^expires at +\d{4}-\d\d-\d\dT\S+Z$/m);
    const page = pageIn(shown);
    await press(page, { action: 'exact' });
    await press(page, { action: 'mine' });
    const { code, stdout } = await ended;
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'completed', creditsGranted: '40' }]);
    expect(await line.json('credits')).toMatchObject({ balance: '70.5' });
  });

  it('are not waited for when the payment fails', async () => {
    const { shown, ended } = await waiting('credits', 'buy', '45');
    await press(pageIn(shown), { action: 'delay' });
    await press(pageIn(shown), { action: 'refuse' });
    expect(await ended).toMatchObject({ code: 1, stderr: 'The payment is failed.\n' });
  });

  it.each([
    [['buy', 'abc'], 2, '"abc" is not an amount: write digits, such as 12.5.\n'],
    [['buy', '5'], 1, expect.stringContaining('20')],
    [['deposit', 'EUR', '20'], 1, expect.stringContaining('USDC')],
    [['deposit', 'USDC', '1'], 1, expect.stringContaining('20')],
    [['by', '20'], 2, expect.stringContaining('by')],
  ])('are refused in %j', async (words, code, stderr) => {
    expect(await line.run('credits', ...words)).toEqual({ code, stdout: '', stderr });
  });
});

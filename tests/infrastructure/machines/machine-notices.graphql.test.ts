import { describe, expect, it } from '@jest/globals';
import { command, machineIn, runningMachine } from '../../kit/machines/machine.js';
import { graphql, type Json } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';

async function machineNotices({ token }: { readonly token: string }): Promise<Json[]> {
  const { data } = await graphql('{ notifications { results { kind title text link } } }', { token });
  return data.notifications.results.filter(({ kind }: Json) => kind === 'machine');
}

describe('the owner of a machine', () => {
  it('is told once each time that it runs and stops, and nobody else is', async () => {
    const { user, machine } = await runningMachine();
    await command(machine.id, 'stop', user);
    await machineIn('stopped', machine.id, user);
    let notices = await machineNotices(user);
    while (notices.length < 2) notices = await machineNotices(user);
    expect(new Set(notices.map(({ title }) => title))).toEqual(
      new Set([`${machine.name} is running`, `${machine.name} is stopped`]),
    );
    expect(new Set(notices.map(({ link }) => link))).toEqual(new Set([`/machines/${machine.uuid}`]));
    expect(await machineNotices(await signIn())).toEqual([]);
  });
});

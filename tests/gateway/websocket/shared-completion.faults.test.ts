import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityPlatform, type MachineOwner } from '../../kit/graph/entity-platform.js';
import { TestSocket } from '../../kit/socket.js';
import { until } from '../../kit/watch.js';

const TOPOLOGY = `subscription { topologyChanged { nodes { meta { peer { label vmInstance { uuid name } } } } } }`;
const MACHINE = 'subscription { vmInstanceChanged { billing { warningMinutes } peer { label } } }';
const [MANY, CHANGES] = [8, 2];

/** Reads the results of a socket until one contains the text. */
async function resultWith(socket: TestSocket, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const result = JSON.stringify(await socket.result('1', number));
    if (result.includes(text)) return result;
  }
}

describe.each(['in process', 'behind HTTP'] as const)('an event that another subgraph completes, %s', (arrangement) => {
  let platform: EntityPlatform;
  let owner: MachineOwner;
  const sockets: TestSocket[] = [];
  beforeAll(async () => {
    platform = await EntityPlatform.start(arrangement);
    owner = await platform.ownerOf(1);
  }, 240_000);
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.drop();
  });
  afterAll(() => platform.stop(), 60_000);

  /** Opens sockets until there are so many, and makes changes until each has a result. */
  async function watch(query: string, count: number, change?: () => Promise<void>): Promise<void> {
    while (sockets.length < count) {
      const socket = await TestSocket.open(owner.token, platform.platform.url);
      sockets.push(socket);
      socket.subscribe('1', query);
      await until(async () => {
        await change?.();
        return socket.results('1').length > 0;
      });
    }
  }

  /** Makes a change, waits for a result with this text on every socket, and returns these results. */
  async function resultsOf(mutation: string, text: string): Promise<string[]> {
    const { errors } = await platform.graphql(`mutation { ${mutation} }`, owner.token);
    expect(errors).toBeUndefined();
    return Promise.all(sockets.map((socket) => resultWith(socket, text)));
  }

  it('is executed once for all sockets of a user: the machine of a renamed peer', async () => {
    const { data } = await platform.graphql('{ peers { id } }', owner.token);
    const statementsFor = async (count: number): Promise<string[]> => {
      await watch(TOPOLOGY, count);
      return platform.statementsOfEvents('topologyChanged', CHANGES, async (number) => {
        const label = `of ${count}, ${number}`;
        const results = await resultsOf(`updatePeer(id: ${data.peers[0].id}, label: "${label}") { id }`, label);
        const { uuid, name } = owner.machine;
        for (const result of results)
          expect(result).toContain(JSON.stringify({ vmInstance: { uuid, name } }).slice(1, -1));
      });
    };
    const ofOne = await statementsFor(1);
    expect(ofOne).not.toEqual([]);
    expect(await statementsFor(MANY)).toEqual(ofOne);
  }, 120_000);

  it('is executed once for all sockets of a user: the peer of a changed machine', async () => {
    let minutes = 100;
    const changed = () => {
      const mutation = `setVmWarning(id: "${owner.machine.uuid}", minutes: ${++minutes}) { uuid }`;
      return resultsOf(mutation, `"warningMinutes":${minutes}}`);
    };
    const { label } = (await platform.graphql('{ peers { label } }', owner.token)).data.peers[0];
    const statementsFor = async (count: number): Promise<string[]> => {
      await watch(MACHINE, count, async () => {
        await platform.graphql(
          `mutation { setVmWarning(id: "${owner.machine.uuid}", minutes: ${++minutes}) { uuid } }`,
          owner.token,
        );
      });
      await changed();
      return platform.statementsOfEvents('vmInstanceChanged', CHANGES, async () => {
        for (const result of await changed()) expect(result).toContain(`"label":"${label}"`);
      });
    };
    const ofOne = await statementsFor(1);
    expect(ofOne).not.toEqual([]);
    expect(await statementsFor(MANY)).toEqual(ofOne);
  }, 120_000);
});

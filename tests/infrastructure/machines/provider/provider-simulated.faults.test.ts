import { openDatabase } from '../../../../kernel/database/database.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { SimulatedProvider } from '../../../../subgraphs/infrastructure/machines/provider/simulated.js';
import { newDatabase } from '../../../kit/database/own-database.js';
import { describeProvider } from '../../../kit/machines/provider-sentences.js';
import { providerDependencies, TestClock } from '../../../kit/machines/provider-fixture.js';

const BOOTS = {
  name: 'boots-of-the-tests',
  text: 'SELECT boots FROM infrastructure.simulated_machine WHERE uuid = $1',
};

describeProvider('the simulated host', async () => {
  const log = openLog('silent', 'tests');
  const database = await openDatabase({ url: await newDatabase(), schema: 'infrastructure', log });
  const clock = new TestClock();
  return {
    clock,
    image: 'debian-13',
    provider: () => new SimulatedProvider(providerDependencies(clock, database)),
    boots: async (uuid) => Number((await database.rows<{ boots: number }>(BOOTS, [uuid]))[0]?.boots),
    close: () => database.close(),
  };
});

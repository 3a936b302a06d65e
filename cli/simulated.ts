import { graphql, PlatformError, type Archipelago } from '../sdk/src/index.js';

const PARTS = {
  machines: graphql('{ isSimulated: areMachinesSimulated }'),
  payments: graphql('{ isSimulated: arePaymentsSimulated }'),
} as const;

export type Part = keyof typeof PARTS;

/** Whether the platform only simulates a part of it. */
export async function isSimulated(client: Archipelago, part: Part): Promise<boolean> {
  return (await client.graphql(PARTS[part])).isSimulated;
}

/** Returns the parts that the platform only simulates. A part that does not answer is left out. */
export async function simulatedParts(client: Archipelago): Promise<Part[]> {
  const parts = (['machines', 'payments'] as const).map(async (part) => {
    const isNamed = await isSimulated(client, part).catch((error: unknown) => {
      if (error instanceof PlatformError) return false;
      throw error;
    });
    return isNamed ? [part] : [];
  });
  return (await Promise.all(parts)).flat();
}

/** The cost of a field that compiles the whole network: as much as a hundred other fields. */
export const COMPILES = '@cost(weight: 100)';

/** The cost of a field that compiles the whole network, so that an operation can have at most nine of them. */
export const COMPILES = '@cost(weight: 500)';

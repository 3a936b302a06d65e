/** Cost of a field from a row to its owner, whose lists can be selected again. Two such fields nested in lists exceed the limit of an operation. */
export const OWNER_COST = '@cost(weight: 50)';

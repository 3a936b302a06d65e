/** The cost of a field that leads from a row back to its user, whose lists can be asked again: three levels are above the limit. */
export const LEADS_BACK = '@cost(weight: 50)';

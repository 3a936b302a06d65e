/** CPU seconds that each folder may use, by command. The sum of a command on two cores is below its time limit. */
export const BUDGETS = {
  quick: {},
  all: {},
};

import { NOTICE_KINDS } from '../dist/subgraphs/accounts/notifications/notification/notification.js';

/** Returns dashboard/generated/notification-kinds.ts: the kinds in words, and the operations with every preference. */
export function notificationKinds(schema) {
  const kinds = Object.entries(NOTICE_KINDS).map(([kind, { title }]) => `  ${kind}: ${JSON.stringify(title)},\n`);
  const choices = Object.values(NOTICE_KINDS)
    .filter(({ field }) => field)
    .map(({ field, meaning }) => `  ['${field}', ${JSON.stringify(meaning[0].toUpperCase() + meaning.slice(1))}],\n`);
  const fields = Object.keys(schema.getType('NotificationPreferences').getFields()).join(' ');
  const { args } = schema.getMutationType().getFields().updateNotificationPreferences;
  const variables = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const values = args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `// Generated from schema/ and NOTICE_KINDS by \`npm run schema\`.
import { graphql } from '../graphql/graphql';

/** The title of every kind of notification. */
export const KINDS = {
${kinds.join('')}} as const;

/** The preferences of kinds, each with its label. */
export const CHOICES = [
${choices.join('')}] as const;

export const PREFERENCES = graphql(\`{ notificationPreferences { ${fields} } }\`);

export const SAVE = graphql(\`mutation (${variables}) {
  updateNotificationPreferences(${values}) { lowCreditLevel }
}\`);
`;
}

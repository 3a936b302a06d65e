import { registerEnumType } from 'type-graphql';

/** How urgent a notification is, the least urgent first. */
const SEVERITIES = {
  info: 'Nothing to do.',
  warning: 'You have to do something soon.',
  critical: 'Something has failed or was lost: act now.',
} as const;
export type NoticeSeverity = keyof typeof SEVERITIES;

/** The severities as a GraphQL enum whose names are its values. */
export const NoticeSeverityEnum = Object.fromEntries(Object.keys(SEVERITIES).map((severity) => [severity, severity]));

registerEnumType(NoticeSeverityEnum, {
  name: 'NotificationSeverity',
  description: 'Whether a notification needs you.',
  valuesConfig: Object.fromEntries(
    Object.entries(SEVERITIES).map(([severity, description]) => [severity, { description }]),
  ),
});

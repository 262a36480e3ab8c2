import type { Setting } from './setting.ts';
import { aliasesByVariable, GROUP_TITLES, settings } from './settings.ts';

/** Renders docs/settings.md. */
export function renderSettingsPage(): string {
  const groups = Object.entries(settings).map(
    ([group, declared]) =>
      // Safe: the keys of `settings` are the keys of `GROUP_TITLES`.
      `## ${GROUP_TITLES[group as keyof typeof settings]}\n\n${renderTable(Object.values<Setting>(declared))}`,
  );
  return `# Settings

Kith is configured by environment variables, which are validated at start. An empty variable counts as not set. An
invalid value ends the command with \`E_CONFIG\` ([errors.md](errors.md)) and a message that names the variable.
\`npx kith --help\` prints the same list.

This page is generated from \`src/config/settings.ts\` by \`npm run docs:settings\`.

${groups.join('\n\n')}

## Names of EFP's services

These names, which EFP's own services have for the same settings, are accepted as well. Of two names for one chain, the
first is the preferred node. If a setting and its other name are both set, they must agree. [Moving from EFP's
services](operating.md#moving-from-efps-services) says what else to change.

${renderAliases()}
`;
}

function renderAliases(): string {
  const rows = [...aliasesByVariable()].map(([variable, aliases]) => [
    aliases.map((alias) => `\`${alias}\``).join(', '),
    `\`${variable}\``,
  ]);
  return alignTable([['name of EFP', 'setting'], ...rows]);
}

function renderTable(group: readonly Setting[]): string {
  const rows = group.map(({ name, fallback, description }) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    description.replaceAll('|', '\\|'),
  ]);
  return alignTable([['name', 'default', 'meaning'], ...rows]);
}

function alignTable([head = [], ...body]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
}

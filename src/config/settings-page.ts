import type { Setting } from './setting.ts';
import { GROUP_TITLES, settings } from './settings.ts';

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
`;
}

function renderTable(group: readonly Setting[]): string {
  const rows = group.map(({ name, fallback, description }) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    description.replaceAll('|', '\\|'),
  ]);
  const table = [['name', 'default', 'meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
}

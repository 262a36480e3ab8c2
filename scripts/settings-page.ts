import { ENV_FILE } from '../src/config/env-file.ts';
import { aliasesByVariable, GROUPS, SETTINGS } from '../src/config/settings.ts';

/** Renders docs/settings.md. */
export function renderSettingsPage(): string {
  const groups = Object.entries(GROUPS).map(
    ([title, declared]) => `## ${title}\n\n${renderTable(Object.keys(declared))}`,
  );
  return `# Settings

Kith is configured by environment variables, which are validated at start. An empty variable counts as not set. An
invalid value ends the command with \`E_CONFIG\` ([errors.md](errors.md)) and a message that names the variable.
\`npx kith --help\` prints the same list.

They are also read from a file \`${ENV_FILE}\` in the working directory, if there is one: a \`NAME=value\` per line, values
with spaces or \`#\` in quotes, comments after \`#\`. A variable that is set already, even if it is empty, takes precedence
over the file. A line that is no assignment, a name that is neither a setting nor read by \`compose.yaml\`, Compose or
Node.js, and a file that cannot be read end the command with \`E_CONFIG\`. A change of the file takes effect at the next
start. A variable of the environment that is one or two letters off a setting is logged as a warning.

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

function renderTable(names: readonly string[]): string {
  const rows = SETTINGS.filter(({ name }) => names.includes(name)).map(({ name, fallback, description }) => [
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

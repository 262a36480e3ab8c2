import { ConfigError, type Environment } from './setting.ts';
import { SETTINGS } from './settings.ts';

const PER_CHAIN = '<chainId>';
const NAMES = SETTINGS.map(({ name }) => name);
const ALIASES = SETTINGS.flatMap(({ aliases = [] }) => aliases.map(({ name }) => name));
const PREFIXES = NAMES.filter((name) => name.endsWith(PER_CHAIN)).map((name) => name.replace(PER_CHAIN, ''));

/** Variables of Compose, of compose.yaml and of Node.js, which share the file. */
const OF_OTHERS =
  /^(?:(?:COMPOSE|DOCKER|NODE)_\w+|TZ|POSTGRES_PASSWORD|(?:KITH|POSTGRES)_MEMORY|SITE_ADDRESS|PROMETHEUS_TARGETS|GRAFANA_PASSWORD)$/;

/** A shorter name is near too many others. */
const MIN_LENGTH = 6;
/** From this length on, two letters may be wrong. */
const LONG = 10;
/** Two letters off DATABASE_POOL, but common. */
const COMMON = ['DATABASE_PORT'];

/** Throws a `ConfigError` for a variable of the file that no setting has. */
export function requireKnown(path: string, variables: Environment): Environment {
  const unknown = Object.keys(variables).find((name) => !isKnown(name) && !OF_OTHERS.test(name));
  if (unknown === undefined) return variables;
  const { name } = nearestTo(unknown, [...NAMES, ...ALIASES]);
  throw new ConfigError(path, `${unknown} is not a setting of Kith; the nearest one is ${name}`);
}

/** Variables of the environment that are probably misspelt, with the setting that each is near. */
export function findMisspelt(environment: Environment): { readonly variable: string; readonly setting: string }[] {
  return Object.keys(environment)
    .filter((variable) => variable.length >= MIN_LENGTH && !isKnown(variable) && !COMMON.includes(variable))
    .map((variable) => ({ variable, ...nearestTo(variable, NAMES, 3) }))
    .filter(({ name, distance }) => name.length >= MIN_LENGTH && distance <= (name.length >= LONG ? 2 : 1))
    .map(({ variable, name }) => ({ variable, setting: name }));
}

/** A name of another chain counts as known here: reading the setting rejects it. */
function isKnown(variable: string): boolean {
  return (
    NAMES.includes(variable) ||
    ALIASES.includes(variable) ||
    PREFIXES.some((prefix) => variable.startsWith(prefix) && /^\w+$/.test(variable.slice(prefix.length)))
  );
}

/** The nearest name below a distance, or an empty one. Names per chain are compared without the number. */
function nearestTo(variable: string, names: readonly string[], below = Number.POSITIVE_INFINITY) {
  const pattern = variable.replace(/\d+$/, PER_CHAIN);
  let best = { name: '', distance: below };
  for (const name of names) {
    const text = name.endsWith(PER_CHAIN) ? pattern : variable;
    // No distance is below the difference of the lengths. Comparing all names would take a tenth of a start.
    if (Math.abs(text.length - name.length) >= best.distance) continue;
    const distance = editDistance(text, name);
    if (distance < best.distance) best = { name, distance };
  }
  return best;
}

/** The Levenshtein distance of two texts. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [left = 0, up = 0, diagonal = 0] = [row[j], above[j + 1], above[j]];
      row.push(Math.min(left + 1, up + 1, diagonal + (letter === other ? 0 : 1)));
    }
  }
  return row.at(-1) ?? 0;
}

import { SETTINGS } from './settings.ts';

/** The names of EFP's own services by the variable that they stand for, such as RPC_URL_8453. */
export function aliasesByVariable(): Map<string, readonly string[]> {
  const pairs = SETTINGS.flatMap(({ name, aliases = [] }) =>
    aliases.map((alias) => ({ alias: alias.name, variable: name.replace('<chainId>', String(alias.chainId)) })),
  );
  const grouped = Map.groupBy(pairs, ({ variable }) => variable);
  return new Map([...grouped].map(([variable, group]) => [variable, group.map(({ alias }) => alias)]));
}

import type { Address } from '../protocol/hex.ts';
import { addressOf, type DemoOptions, nameOf } from './accounts.ts';
import { choose, createRandom, mix, type Random, streamOf } from './random.ts';

/** The public resolver of ENS. */
const RESOLVER: Address = '0x231b0ee14048e9dccd1d247744d114a4eb5e8e63';
const DAY_MILLISECONDS = 86_400_000;

const DESCRIPTIONS: readonly string[] = [
  'Building small tools for large networks.',
  'Collects maps, stamps and block explorers.',
  'gm ☀️',
  'Writes about gardens and governance.',
  'Here for the frens.',
  'Onchain since the winter before last.',
  'Typefaces, tea & testnets',
  'Researcher. Opinions are my own, mostly.',
];
const PLACES: readonly string[] = ['Lisbon', 'Taipei', 'Nairobi', 'Montréal', 'Zürich', 'the metaverse'];

/** Generates the profiles of accounts that have a name, as `kith import profiles` reads them. */
export function* demoProfiles(options: DemoOptions) {
  const stream = streamOf(options.seed, 'profile');
  for (let account = 0; account < options.accounts; account++) {
    const name = nameOf(options, account);
    if (name !== undefined) yield createProfile(options, account, name, createRandom(mix(stream, account)));
  }
}

function createProfile({ seed, now, pictures = '' }: DemoOptions, account: number, name: string, random: Random) {
  const address = addressOf(seed, account);
  // The first account has every field.
  const has = (share: number) => account === 0 || random() < share;
  const label = name.slice(0, name.indexOf('.'));
  // With a dot, which the handles of these services cannot have, and of a reserved domain: no link leads to a stranger.
  const handle = `${label.replace(/[^a-z0-9]/g, '-')}.example`;
  const file = encodeURIComponent(name);
  const avatar = has(0.6) ? `${pictures}/demo/avatars/${file}.svg` : null;
  const header = has(0.2) ? `${pictures}/demo/headers/${file}.svg` : null;
  const records: Record<string, string> = {};
  if (avatar !== null) records.avatar = avatar;
  if (header !== null) records.header = header;
  if (has(0.5)) records.description = choose(DESCRIPTIONS, random());
  if (has(0.3)) records.name = label.charAt(0).toUpperCase() + label.slice(1);
  if (has(0.3)) records.url = `https://${handle}`;
  if (has(0.15)) records.location = choose(PLACES, random());
  if (has(0.3)) records['com.github'] = handle;
  if (has(0.4)) records['com.twitter'] = handle;
  if (has(0.1)) records['org.telegram'] = handle;
  return {
    name,
    address,
    avatar,
    header,
    display: name,
    contenthash: null,
    records,
    chains: { eth: address },
    fresh: now * 1000 - Math.floor(random() * DAY_MILLISECONDS),
    resolver: RESOLVER,
    ccip_urls: [],
    errors: {},
  };
}

import type { Hex } from 'viem';
import { parseBadge, writeBadges } from '../../src/badges/badge.ts';
import type { Store } from '../../src/store/store.ts';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  locationBytes,
  type SlotRef,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { follow, logsOf, START, slotOf, tag } from '../model/small-history.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';

/** Ends in zeros, so that addresses sort as their prefixes do. */
const account = (prefix: string): Hex => `0x${prefix.padEnd(40, '0')}`;

/** The account that pages show: list 3. */
export const ADA = account('ada');
export const BOB = account('b0b');
export const CAT = account('ca7');
export const DAN = account('da4');
/** Blocks Ada, and is blocked by Ada and Vic. */
export const MAL = account('3a1');
/** Follows Ada, and is muted by Ada and Vic. */
export const TOM = account('703');
/** The visitor whose wallet is connected: primary list 7, and list 112. */
export const VIC = account('71c');
/** Has no list, no followers and no name. */
export const EVE = account('e5e');
const FAN_COUNT = 18;
/** Accounts that follow Ada, oldest first. The first two also follow Bob. */
export const FANS = Array.from({ length: FAN_COUNT }, (_, i) => account(`f${String(i + 1).padStart(2, '0')}`));
export const [FAN_1 = EVE, FAN_2 = EVE, FAN_3 = EVE] = FANS;

/** Unix seconds, later than the last log. */
export const NOW = START + 10_000;

const CHAINS = [8453, 10, 1] as const;
/** Slots are on all three chains in turn. */
const slotOfList = (list: number): SlotRef => slotOf(BigInt(100 + list), CHAINS[list % 3]);
const LISTS = new Map([ADA, BOB, CAT, DAN, VIC, MAL, TOM, ...FANS].map((owner, i) => [owner, 3 + i]));
const slot = (owner: Hex): SlotRef => slotOfList(LISTS.get(owner) ?? 0);
const VICS_OTHER_LIST = 112;

function mint(owner: Hex, list: number): LogBody[] {
  const id = BigInt(list);
  const at = slotOfList(list);
  return [transfer(ZERO_ADDRESS, owner, id), storageLocation(id, locationBytes(at)), listMetadata(at, 'user', owner)];
}

function history(): LogBody[] {
  const [adas, bobs, cats, vics] = [slot(ADA), slot(BOB), slot(CAT), slot(VIC)];
  return [
    ...[...LISTS].flatMap(([owner, list]) => [
      ...mint(owner, list),
      accountMetadata(owner, 'primary-list', word(BigInt(list))),
    ]),
    ...mint(VIC, VICS_OTHER_LIST),
    ...FANS.map((fan) => follow(slot(fan), ADA)),
    follow(slot(FAN_1), BOB),
    follow(slot(FAN_2), BOB),
    follow(slot(TOM), ADA),
    follow(slot(DAN), ADA),
    follow(bobs, CAT),
    follow(bobs, ADA),
    tag(bobs, ADA, 'friend'),
    follow(cats, BOB),
    follow(cats, ADA),
    tag(cats, ADA, 'friend'),
    tag(cats, ADA, 'irl'),
    follow(slot(MAL), ADA),
    tag(slot(MAL), ADA, 'block'),
    ...[BOB, CAT, DAN, FAN_1, FAN_2, MAL, TOM].map((record) => follow(vics, record)),
    tag(vics, MAL, 'block'),
    tag(vics, TOM, 'mute'),
    follow(slotOfList(VICS_OTHER_LIST), EVE),
    // No edge: a record of the account itself.
    follow(adas, ADA),
    follow(adas, BOB),
    tag(adas, BOB, 'bff'),
    follow(adas, CAT),
    tag(adas, CAT, 'bff'),
    tag(adas, CAT, 'top8'),
    follow(adas, VIC),
    follow(adas, MAL),
    tag(adas, MAL, 'block'),
    follow(adas, TOM),
    tag(adas, TOM, 'mute'),
    // A tag without a record counts nowhere.
    tag(adas, EVE, 'bff'),
  ];
}

const NAMES: readonly (readonly [Hex, string])[] = [
  [ADA, 'ada.eth'],
  [BOB, 'bob.eth'],
  [CAT, 'cat.eth'],
  [DAN, 'dan.eth'],
  [VIC, 'vic.eth'],
  [MAL, 'mal.eth'],
  [TOM, 'tom.eth'],
  ...FANS.map((fan, i) => [fan, `fan${i + 1}.eth`] as const),
];

const imageOf = (kind: string, name: string) => `https://images.example/${kind}/${name}.svg`;
export const ADAS_AVATAR = imageOf('avatar', 'ada.eth');
export const ADAS_BIO = 'Wrote the first program.';

const profiles = NAMES.map(([address, name]) => {
  const [avatar, header] = [imageOf('avatar', name), imageOf('header', name)];
  const records = address === ADA ? { avatar, header, description: ADAS_BIO } : { avatar, header };
  return { address, name, avatar, header, records, fresh: NOW * 1000 };
});

export const BADGE = { eventId: '177709', tokenId: '7200001', name: 'A badge' } as const;

/** Loads the graph as an indexer would have left it, with names, a badge and a ranking. */
export async function loadClientGraph(store: Store): Promise<void> {
  await loadLogs(store, logsOf(history()));
  await loadProfiles(store, profiles);
  const event = { id: Number(BADGE.eventId), name: BADGE.name, image_url: imageOf('badge', '177709'), year: 2024 };
  const badge = parseBadge({ event, tokenId: BADGE.tokenId, owner: ADA }, NOW * 1000);
  await store.transaction((tx) => writeBadges(tx, [badge]));
  await loadRanks(store, NOW * 1000);
}

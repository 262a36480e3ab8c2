import { addressOf, TOP_ACCOUNT } from './accounts.ts';
import { EVENTS } from './badge-events.ts';
import type { DemoOptions } from './demo-options.ts';
import { mix, mixFraction, streamOf } from './random.ts';

const COLLECTOR_SHARE = 1 / 3;
/** Probability that a collector holds the badge of an event, besides the one it always holds. */
const HELD_SHARE = 0.35;
const FIRST_TOKEN = 7_200_000;
const HELD_BY_TOP_ACCOUNT: readonly number[] = [177709, 178065, 178066];

/** Generates held badges in the format of the POAP API. */
export function* demoBadges({ accounts, seed }: DemoOptions) {
  const stream = streamOf(seed, 'badge');
  for (let account = 0; account < accounts; account++) {
    if (account !== TOP_ACCOUNT && mixFraction(stream, account) >= COLLECTOR_SHARE) continue;
    const draw = mix(stream, account);
    const owner = addressOf(seed, account);
    const certain = mix(draw, EVENTS.length) % EVENTS.length;
    for (const [i, event] of EVENTS.entries()) {
      const holds =
        account === TOP_ACCOUNT
          ? HELD_BY_TOP_ACCOUNT.includes(event.id)
          : i === certain || mixFraction(draw, i) < HELD_SHARE;
      if (holds) yield { event, tokenId: String(FIRST_TOKEN + account * EVENTS.length + i), owner };
    }
  }
}

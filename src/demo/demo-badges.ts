import { addressOf, type DemoOptions, TOP_ACCOUNT } from './accounts.ts';
import { mix, mixFraction, streamOf } from './random.ts';

/** In the format of the POAP API. */
const EVENTS = [
  {
    ...createEvent(177709, 'The First Hundred Days', 'first-hundred-days', '24-Sep-2024', '31-Dec-2024', '31-Jan-2025'),
    fancy_id: 'first-hundred-days-of-kith-2024',
    description: 'For everybody who minted a list while the graph was still small enough to draw.',
  },
  {
    ...createEvent(178064, 'Garden Meetup Bangkok', 'garden-meetup', '10-Nov-2024', '10-Nov-2024', '10-Dec-2024'),
    fancy_id: 'garden-meetup-bangkok-2024',
    country: 'Thailand',
    city: 'Bangkok',
    description: 'An afternoon of introductions, iced tea and list swapping under the rain trees.',
  },
  {
    ...createEvent(178065, 'Mutuals Night', 'mutuals-night', '14-Nov-2024', '15-Nov-2024', '15-Dec-2024'),
    description: 'Came with a follower, left with a mutual.',
  },
  {
    ...createEvent(178066, 'Graph Builders’ Workshop', 'graph-builders', '02-Dec-2024', '03-Dec-2024', '03-Jan-2025'),
    fancy_id: 'graph-builders-workshop-2024',
    event_url: '',
    country: 'Portugal',
    city: 'Lisbon',
    description: 'Two days of reading logs together until the numbers agreed.',
  },
  {
    ...createEvent(183182, 'Top Eight Showdown', 'top-eight', '06-Jan-2025', '02-Mar-2025', '01-Apr-2025'),
    fancy_id: 'top-eight-showdown-2025',
    description: 'Eight places, eight weeks: for those who chose theirs in public.',
  },
];

function createEvent(id: number, name: string, slug: string, start: string, end: string, expiry: string) {
  const year = Number(start.slice(-4));
  return {
    id,
    name,
    fancy_id: `${slug}-${year}`,
    event_url: `https://events.example/${slug}`,
    image_url: `/demo/badges/${slug}.svg`,
    country: '',
    city: '',
    year,
    start_date: start,
    end_date: end,
    expiry_date: expiry,
  };
}

const COLLECTOR_SHARE = 1 / 3;
/** Probability that a collector holds the badge of an event, besides the one it always holds. */
const HELD_SHARE = 0.35;
const FIRST_TOKEN = 7_200_000;
const HELD_BY_TOP_ACCOUNT: readonly number[] = [177709, 178065, 178066];

/** Generates held badges in the format of the POAP API. */
export function* demoBadges({ accounts, seed, pictures = '' }: DemoOptions) {
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
      const placed = { ...event, image_url: `${pictures}${event.image_url}` };
      if (holds) yield { event: placed, tokenId: String(FIRST_TOKEN + account * EVENTS.length + i), owner };
    }
  }
}

/** An event in the format of the POAP API. */
export interface DemoEvent {
  readonly id: number;
  readonly fancy_id: string;
  readonly name: string;
  readonly event_url: string;
  readonly image_url: string;
  readonly country: string;
  readonly city: string;
  readonly description: string;
  readonly year: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly expiry_date: string;
}

export const EVENTS: readonly DemoEvent[] = [
  {
    id: 177709,
    fancy_id: 'first-hundred-days-of-kith-2024',
    name: 'The First Hundred Days',
    event_url: 'https://events.example/first-hundred-days',
    image_url: '/demo/badges/first-hundred-days.svg',
    country: '',
    city: '',
    description: 'For everybody who minted a list while the graph was still small enough to draw.',
    year: 2024,
    start_date: '24-Sep-2024',
    end_date: '31-Dec-2024',
    expiry_date: '31-Jan-2025',
  },
  {
    id: 178064,
    fancy_id: 'garden-meetup-bangkok-2024',
    name: 'Garden Meetup Bangkok',
    event_url: 'https://events.example/garden-meetup',
    image_url: '/demo/badges/garden-meetup.svg',
    country: 'Thailand',
    city: 'Bangkok',
    description: 'An afternoon of introductions, iced tea and list swapping under the rain trees.',
    year: 2024,
    start_date: '10-Nov-2024',
    end_date: '10-Nov-2024',
    expiry_date: '10-Dec-2024',
  },
  {
    id: 178065,
    fancy_id: 'mutuals-night-2024',
    name: 'Mutuals Night',
    event_url: 'https://events.example/mutuals-night',
    image_url: '/demo/badges/mutuals-night.svg',
    country: '',
    city: '',
    description: 'Came with a follower, left with a mutual.',
    year: 2024,
    start_date: '14-Nov-2024',
    end_date: '15-Nov-2024',
    expiry_date: '15-Dec-2024',
  },
  {
    id: 178066,
    fancy_id: 'graph-builders-workshop-2024',
    name: 'Graph Builders’ Workshop',
    event_url: '',
    image_url: '/demo/badges/graph-builders.svg',
    country: 'Portugal',
    city: 'Lisbon',
    description: 'Two days of reading logs together until the numbers agreed.',
    year: 2024,
    start_date: '02-Dec-2024',
    end_date: '03-Dec-2024',
    expiry_date: '03-Jan-2025',
  },
  {
    id: 183182,
    fancy_id: 'top-eight-showdown-2025',
    name: 'Top Eight Showdown',
    event_url: 'https://events.example/top-eight',
    image_url: '/demo/badges/top-eight.svg',
    country: '',
    city: '',
    description: 'Eight places, eight weeks: for those who chose theirs in public.',
    year: 2025,
    start_date: '06-Jan-2025',
    end_date: '02-Mar-2025',
    expiry_date: '01-Apr-2025',
  },
];

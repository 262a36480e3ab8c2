/** An account with an active list. */
export interface Subject {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

/** In leaderboard order. */
export const SUBJECTS = `select accounts.address, coalesce(profiles.name, '') as name, accounts.active_list as list
  from leaderboard join accounts on accounts.id = leaderboard.account
  left join profiles on profiles.address = accounts.address
  where accounts.active_list is not null
  order by leaderboard.followers desc, leaderboard.address_key`;

const API = '/api/v1';

/** A cheap request. */
export const detailsOf = ({ list }: Subject) => `${API}/lists/${list}/details`;

/** Requests of all kinds whose answers depend on the graph alone. */
export function pathsAbout({ address, list }: Subject): string[] {
  const user = `${API}/users/${address}`;
  return [
    `${API}/lists/${list}/details`,
    `${user}/account`,
    `${user}/stats`,
    `${user}/followers?limit=50`,
    `${user}/followers?sort=followers&limit=20`,
    `${user}/following?limit=50`,
    `${user}/searchFollowers?term=a`,
    `${user}/taggedAs`,
    `${API}/lists/${list}/allFollowers?limit=20&tags=top8`,
    `${user}/notifications?interval=all&limit=20`,
    `${API}/leaderboard/search?term=${address.slice(2, 5)}`,
    `${API}/leaderboard/ranked?sort=following&offset=${Number.parseInt(address.slice(2, 4), 16)}`,
  ];
}

/** The most expensive requests, about the account with the most followers. */
export function worstPaths({ address, list }: Subject, accounts: number): string[] {
  const user = `${API}/users/${address}`;
  return [
    ...['0', 'ff', 'x'].map((term) => `${API}/leaderboard/search?term=${term}&offset=2147483647`),
    `${user}/followers?limit=1000&include=ens`,
    `${API}/lists/${list}/following?limit=1000&include=ens`,
    `${user}/searchFollowers?term=e&limit=1000`,
    `${user}/followers?sort=followers&limit=1000&offset=${Math.round(accounts / 50)}`,
    `${API}/leaderboard/ranked?sort=mutuals&limit=1000&offset=${Math.round(accounts / 2)}`,
    `${user}/recommended/details?limit=1000`,
  ];
}

/** The most expensive batch of states: as many long names as the body may have. */
export function worstBatch({ list }: Subject) {
  const names = Array.from({ length: 1_000 }, (_, i) => `${'ä'.repeat(50)}${i}.eth`);
  return { paths: [`${API}/lists/${list}/buttonStateBatch`], body: JSON.stringify(names) };
}

import { SORTS } from '../../src/lookup/edges-page.ts';

/** An account that can be requested by address, name and list. */
export interface Known {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

export interface LookupRequest {
  readonly title: string;
  readonly path: string;
  readonly status: number;
}

const UNKNOWN: Known = { address: `0x${'0'.repeat(39)}1`, name: 'nobody.nowhere.eth', list: '999999999' };
/** One tag, several, and more than one statement merges. */
const TAGS = ['top8', 'top8,gm', 'top8,gm,frens,irl', 'a,b,c,d,e,f,g,h,i'];
const BEYOND = '1000000';

/** Every kind of request to the seven endpoints, about `known` and an unknown account, for the first page and a deep one. */
export function requestsAbout(known: Known): LookupRequest[] {
  const about = (path: string, query: Record<string, string> = {}): LookupRequest[] => {
    const search = new URLSearchParams(query);
    const title = decodeURIComponent(`${path} ${search}`).trim();
    const fill = ({ address, name, list }: Known) =>
      `${path.replace('ADDRESS', address).replace('NAME', name).replace('LIST', list)}?${search}`;
    const request = { title, path: fill(known), status: 200 };
    if (fill(UNKNOWN) === request.path) return [request];
    // Every address is an account.
    const status = path.includes('ADDRESS') ? 200 : 404;
    return [request, { title: `${title}, unknown`, path: fill(UNKNOWN), status }];
  };
  const paged = (path: string, query: Record<string, string> = {}): LookupRequest[] => [
    ...about(path, query),
    ...about(path, { ...query, offset: BEYOND }),
  ];
  const followers = (path: string) =>
    SORTS.flatMap((sort) => [...paged(path, { sort }), ...TAGS.flatMap((tags) => paged(path, { sort, tags }))]);
  const notifications = (path: string) => [
    ...paged(path, { interval: 'all' }),
    ...paged(path, { interval: 'all', opcode: '3' }),
    ...paged(path, { interval: 'all', tag: 'top8' }),
    ...paged(path, { interval: 'all', tag: 'top8', opcode: '3' }),
  ];
  return [
    ...['/users/ADDRESS', '/users/NAME', '/lists/LIST'].flatMap((path) => [
      ...followers(`${path}/followers`),
      ...about(`${path}/badges`),
    ]),
    ...['/users/ADDRESS', '/users/NAME'].flatMap((path) => notifications(`${path}/notifications`)),
    ...about('/lists/LIST/details'),
    ...paged('/leaderboard/search'),
    ...['eth', 'dolphin', 'dead', '0xab', 'ab'].flatMap((term) => paged('/leaderboard/search', { term })),
  ];
}

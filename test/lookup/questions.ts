import { SORTS } from '../../src/lookup/followers.ts';

/** Who can be asked about, in every way. */
export interface Known {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

export interface Question {
  readonly title: string;
  readonly path: string;
  readonly status: number;
}

const NOBODY: Known = { address: `0x${'0'.repeat(39)}1`, name: 'nobody.nowhere.eth', list: '999999999' };
/** One tag, several, and more than are merged. */
const TAGS = ['top8', 'top8,gm', 'top8,gm,frens,irl', 'a,b,c,d,e,f,g,h,i'];
const BEYOND = '1000000';

/** Every kind of question of the seven endpoints: asked about `known` and about nobody, with a page and beyond the last. */
export function questionsAbout(known: Known): Question[] {
  const about = (path: string, query: Record<string, string> = {}): Question[] => {
    const search = new URLSearchParams(query);
    const title = decodeURIComponent(`${path} ${search}`).trim();
    const fill = ({ address, name, list }: Known) =>
      `${path.replace('ADDRESS', address).replace('NAME', name).replace('LIST', list)}?${search}`;
    const question = { title, path: fill(known), status: 200 };
    if (fill(NOBODY) === question.path) return [question];
    // Any address is an account, if only one that nobody follows.
    const status = path.includes('ADDRESS') ? 200 : 404;
    return [question, { title: `${title}, unknown`, path: fill(NOBODY), status }];
  };
  const paged = (path: string, query: Record<string, string> = {}): Question[] => [
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

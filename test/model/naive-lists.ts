import { stats } from './naive-account.ts';
import { listExists } from './naive-graph.ts';
import { listSubject, type NaiveSubject, type NaiveView, primaryListOf, profileOf } from './naive-view.ts';

export function simpleProfile(view: NaiveView, subject: NaiveSubject) {
  const address = subject.account;
  const { name, avatar } = profileOf(view, address);
  const url = `https://efp.app/${address}`;
  return { address, display_name: name === '' ? address : name, avatar, ...stats(view, subject), url };
}

/** The accounts that lists belong to, by the greatest number of their lists. */
export function minters(view: NaiveView, { limit = 10, offset = 0 }: { limit?: number; offset?: number }) {
  const greatest = new Map<string, bigint>();
  for (const id of existingLists(view)) greatest.set(listSubject(view, String(id))?.account ?? '', id);
  const rows = [...greatest]
    .sort(([, a], [, b]) => (a < b ? 1 : -1))
    .map(([address, id]) => {
      const { name, avatar } = profileOf(view, address);
      return { address, name, avatar, list: String(id) };
    });
  return { minters: rows.slice(offset, offset + limit) };
}

/** Every slot that a list points at, as the elements of a path, with what the lookup returns. */
export function slotDetails(view: NaiveView) {
  const { state } = view.graph;
  const slots = new Set(existingLists(view).flatMap((id) => state.locations.get(id) ?? []));
  return [...slots].map((slot) => {
    const [chainId = '', contract = '', number = ''] = slot.split('/');
    const lists = existingLists(view).filter((id) => state.locations.get(id) === slot);
    const user = state.users.get(slot) ?? '';
    const primary = lists.find((id) => String(id) === primaryListOf(view, user));
    const list = primary ?? lists[0] ?? 0n;
    const { name, avatar, header } = profileOf(view, user);
    return {
      path: { chainId, contract, slot: `0x${BigInt(number).toString(16)}` },
      body: {
        slotDetails: {
          chainId: Number(chainId),
          contractAddress: contract,
          tokenId: Number(list),
          owner: state.owners.get(list),
          manager: state.managers.get(slot) ?? '',
          user,
          userName: name,
          userAvatar: avatar,
          userHeader: header,
          isPrimaryList: primary !== undefined,
        },
      },
    };
  });
}

/** Ascending. */
function existingLists({ graph: { state } }: NaiveView): bigint[] {
  return [...state.owners.keys()].filter((id) => listExists(state, id)).sort((a, b) => (a < b ? -1 : 1));
}

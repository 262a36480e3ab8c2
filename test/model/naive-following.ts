import { type PresentRecord, presentRecords } from './naive-graph.ts';
import { byLatest, type PageQuery, pageOf, type SearchQuery, searchOf, withEns } from './naive-page.ts';
import { compareText, type NaiveSubject, type NaiveView, shownTags } from './naive-view.ts';

export function following(view: NaiveView, subject: NaiveSubject, query: PageQuery = {}) {
  return entries(view, pageOf(view, followsOf(view, subject), query), query.include);
}

/** Includes block and mute edges. */
export function allFollowing(view: NaiveView, subject: NaiveSubject, query: PageQuery = {}) {
  return entries(view, pageOf(view, recordsOf(view, subject), query), query.include);
}

export function searchFollowing(view: NaiveView, subject: NaiveSubject, query: SearchQuery) {
  return entries(view, searchOf(view, followsOf(view, subject), query), 'ens');
}

export function allFollowingAddresses(view: NaiveView, subject: NaiveSubject): string[] {
  return recordsOf(view, subject)
    .sort(byLatest)
    .map(({ address }) => address);
}

/** All records of the slot with all tags, oldest first. */
export function exportState(view: NaiveView, { slot }: NaiveSubject) {
  const records = slot === null ? [] : presentRecords(view.graph.state, slot);
  const ordered = records.sort(byLatest).reverse();
  return { following: ordered.map((record) => ({ ...recordEntry(record), tags: [...record.tags] })) };
}

/** All records of the slot by address. */
export function listRecords(view: NaiveView, { slot }: NaiveSubject, { withTags }: { withTags: boolean }) {
  const records = slot === null ? [] : presentRecords(view.graph.state, slot);
  return {
    records: records
      .sort((a, b) => compareText(a.address, b.address))
      .map(({ address, tags }) => {
        const record = { version: 1, record_type: 'address', data: address };
        return withTags ? { ...record, ...shownTags(tags) } : record;
      }),
  };
}

/** The present records of the slot, except that of the own account. */
export function recordsOf({ graph }: NaiveView, { account, slot }: NaiveSubject): PresentRecord[] {
  return slot === null ? [] : presentRecords(graph.state, slot).filter(({ address }) => address !== account);
}

export function followsOf(view: NaiveView, subject: NaiveSubject): PresentRecord[] {
  return recordsOf(view, subject).filter(({ relation }) => relation === 'follow');
}

function entries(view: NaiveView, records: readonly PresentRecord[], include?: string) {
  return { following: records.map((record) => withEns(view, followingEntry(record), include)) };
}

function followingEntry(record: PresentRecord) {
  return { ...recordEntry(record), ...shownTags(record.tags) };
}

function recordEntry({ address, time }: PresentRecord) {
  const updated_at = new Date(time * 1000).toISOString();
  return { version: 1, record_type: 'address', data: address, address, updated_at };
}

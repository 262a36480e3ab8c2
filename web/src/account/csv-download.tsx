import { useEffect, useRef, useState } from 'preact/hooks';
import { csvLine } from '../../../src/contract/csv.ts';
import { client, describeError } from '../api/request.ts';
import type { Followers, Subject } from '../api/subject.ts';
import { formatNumber } from '../components/format.ts';
import type { EdgeQuery } from './edge-query.ts';
import { type EdgeTab, edgeLookup, isIn } from './edge-source.ts';

interface Props {
  readonly subject: Subject;
  readonly tab: EdgeTab;
  readonly query: EdgeQuery;
  /** Of the subject, for the name of the file. */
  readonly name: string;
}

type Follower = Followers['followers'][number];
type Entry = Pick<Follower, 'address' | 'ens' | 'tags' | 'more_tags' | 'updated_at'> & Partial<Follower>;

const PAGE = 500;
const COLUMNS = ['address', 'name', 'tags', 'updated_at', 'more_tags'];

/** A button that loads all edges that a query asks for, and saves them as a file. */
export function CsvDownload({ subject, tab, query, name }: Props) {
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState<Error>();
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const download = async () => {
    const { signal } = (running.current = new AbortController());
    setError(undefined);
    setCount(0);
    try {
      const lines = [csvLine(COLUMNS)];
      const { path, parameters } = edgeLookup(subject, tab, query, PAGE);
      const entries = client.entries(path, parameters, { signal });
      for await (const entry of entries as AsyncIterable<Entry>) {
        if (!isIn(tab, entry)) continue;
        const { address, ens, tags, updated_at, more_tags = 0 } = entry;
        // As JSON, because a tag may have spaces, commas and every other separator.
        lines.push(csvLine([address, ens?.name ?? '', JSON.stringify(tags), updated_at, String(more_tags)]));
        if (lines.length % PAGE === 1) setCount(lines.length - 1);
      }
      save(new Blob(lines, { type: 'text/csv;charset=utf-8' }), `${name}-${tab}.csv`);
    } catch (cause) {
      if (!signal.aborted) setError(cause as Error);
    }
    setCount(null);
  };
  return (
    <>
      <span class="edge-note" role="status">
        {count !== null && `${formatNumber(count)} loaded`}
        {error !== undefined && describeError(error)}
      </span>
      {count === null ? (
        <button type="button" onClick={download}>
          Download CSV
        </button>
      ) : (
        <button type="button" onClick={() => running.current?.abort()}>
          Cancel
        </button>
      )}
    </>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name.replaceAll(/[^\w.-]/g, '_');
  link.click();
  URL.revokeObjectURL(link.href);
}

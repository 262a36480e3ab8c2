import { lookup } from '../api/request.ts';
import { lookupOf } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';

/** How many accounts a list follows, blocks and mutes. */
export function ListNumbers({ id }: { readonly id: string }) {
  const statsRequest = lookup('/lists/{token_id}/stats', { token_id: id });
  const tagsRequest = lookupOf({ kind: 'list', id }, 'tags', {});
  const stats = useRequest(statsRequest);
  const tags = useRequest(tagsRequest);
  const failed = [stats, tags].find(({ error }) => error !== undefined);
  const tagged = (tag: string) => tags.data && (tags.data.tagCounts.find((counted) => counted.tag === tag)?.count ?? 0);
  const numbers = [
    ['Followed', stats.data?.following_count],
    ['In its top 8', tagged('top8')],
    ['Blocked', tagged('block')],
    ['Muted', tagged('mute')],
  ] as const;
  return (
    <Panel title="Records" requests={[statsRequest, tagsRequest]}>
      {failed?.error !== undefined && <Problem error={failed.error} retry={failed.reload} />}
      <dl class="numbers">
        {numbers.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === undefined ? '\u00a0' : formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

import '../styles/edges.css';
import { lookupOf, type Stats, type Subject } from '../api/subject.ts';
import { usePages } from '../api/use-pages.ts';
import { useRequest } from '../api/use-request.ts';
import { Endless } from '../components/endless.tsx';
import { formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { EdgeFilters } from './edge-filters.tsx';
import { useEdgeQuery } from './edge-query.ts';
import { EdgeRow } from './edge-row.tsx';
import { edgeSource } from './edge-source.ts';
import { EDGE_PANEL, EdgeTabs, tabId } from './edge-tabs.tsx';

interface Props {
  readonly subject: Subject;
  /** Undefined until it is loaded. */
  readonly stats: Stats | undefined;
}

export function Edges({ subject, stats }: Props) {
  const [query, change] = useEdgeQuery();
  const { tab, tags, term } = query;
  const tagRequest = lookupOf(subject, tab === 'followers' ? 'taggedAs' : 'tags', {});
  const tagged = useRequest(tagRequest);
  const source = edgeSource(subject, query);
  const pages = usePages(source);
  const isFiltered = term !== '' || tags.length > 0;
  return (
    <Panel title="Connections" requests={[pages.request, tagRequest]}>
      <EdgeTabs
        value={tab}
        counts={{ followers: stats?.followers_count, following: stats?.following_count }}
        onChange={(next) => next !== tab && change({ tab: next, tags: [] })}
      />
      <div id={EDGE_PANEL} class="edges" role="tabpanel" aria-labelledby={tabId(tab)}>
        <EdgeFilters query={query} tagged={tagged} onChange={change} />
        <Endless
          key={source.requestOf(0, 1).url}
          pages={pages}
          label={tab === 'followers' ? 'Followers' : 'Following'}
          empty={isFiltered ? 'No account matches.' : tab === 'followers' ? 'No followers yet.' : 'Follows nobody yet.'}
        >
          {(edge) => <EdgeRow edge={edge} />}
        </Endless>
        <p class="edge-note edge-end" role="status">
          {pages.isComplete && pages.entries.length > 0 && `The end: ${formatNumber(pages.entries.length)} shown.`}
        </p>
      </div>
    </Panel>
  );
}
